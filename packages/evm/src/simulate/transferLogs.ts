import type { Log } from '@prime/codec';
import { keccakHex } from '@prime/crypto';
import { type Address, type Hash, utf8ToBytes } from '@prime/primitives';
import { wordOf } from '../state/bytes.ts';
import type { FrameEnd, FrameStart, Tracer } from '../trace/hooks.ts';

/** The account that movements of wei seem to come from; no contract is there. */
const transferAddress = '0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee' as Address;
const transferTopic: Hash = keccakHex(utf8ToBytes('Transfer(address,address,uint256)'));
const wordOfAddress = (address: Address): Hash => `0x${address.slice(2).padStart(64, '0')}` as Hash;

const transferLog = (from: Address, to: Address, value: bigint): Log => ({
  address: transferAddress,
  topics: [transferTopic, wordOfAddress(from), wordOfAddress(to)],
  data: wordOf(value),
});

/** Logs of a call that stay, in order; with {@link transfers} each movement of wei looks like a token's transfer among them. */
export class LogCollector implements Tracer {
  readonly wantsOpcodes = false;
  private readonly transfers: boolean;
  /** Logs of each open frame; the outermost list is what stays. */
  private readonly open: { readonly logs: Log[]; readonly start: FrameStart | null }[] = [{ logs: [], start: null }];

  constructor(transfers: boolean) {
    this.transfers = transfers;
  }

  enter(start: FrameStart): void {
    this.open.push({ logs: [], start });
  }

  exit({ failure, created }: FrameEnd): void {
    const { logs, start } = this.open.pop()!;
    if (failure !== null) return;
    const transfer = this.transferOf(start!, created);
    this.open.at(-1)!.logs.push(...(transfer === null ? [] : [transfer]), ...logs);
  }

  log(log: Log): void {
    this.open.at(-1)!.logs.push(log);
  }

  result(): string {
    return JSON.stringify(this.logs.length);
  }

  get logs(): readonly Log[] {
    return this.open[0]!.logs;
  }

  private transferOf({ kind, from, to, value }: FrameStart, created: Address | null): Log | null {
    const target = to ?? created;
    if (!this.transfers || kind === 'DELEGATECALL' || value === null || value === 0n || target === null) return null;
    return transferLog(from, target, value);
  }
}
