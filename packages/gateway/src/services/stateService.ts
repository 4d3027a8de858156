import type { AccountProof, AccountState, CallOutcome, StateContext, StateRef } from '@prime/codec';
import type { Address, Hash, Hex } from '@prime/primitives';
import type { CallRequest, Eventual, StateReader } from '@prime/rpc';
import type { InlineCalls, ReaderBackend } from './backends.ts';
import type { HotAccounts } from '../readModel/hotAccounts.ts';
import type { RecentBlocks } from '../readModel/recentBlocks.ts';

/** State: accounts at the head from memory when they are hot; cheap reads at the head in this thread; everything else from the readers. */
export class StateService implements StateReader {
  private readonly reader: ReaderBackend;
  private readonly blocks: RecentBlocks;
  private readonly hotAccounts: HotAccounts;
  private readonly inlineCalls: InlineCalls | null;
  /** Accounts that readers are asked for: many clients of a new node, or of a new block, begin with the same ones. */
  private readonly reading = new Map<string, Promise<AccountState>>();

  constructor(
    reader: ReaderBackend,
    blocks: RecentBlocks,
    hotAccounts: HotAccounts,
    inlineCalls: InlineCalls | null = null,
  ) {
    this.reader = reader;
    this.blocks = blocks;
    this.hotAccounts = hotAccounts;
    this.inlineCalls = inlineCalls;
  }

  account(address: Address, at: StateRef): Eventual<AccountState> {
    if (!this.isHead(at)) return this.readAccount(address, at);
    return this.hotAccounts.get(address) ?? this.inlineAccount(address, at) ?? this.readAccount(address, at);
  }

  private inlineAccount(address: Address, at: StateRef): AccountState | null {
    const state = this.inlineCalls?.account(address, at) ?? null;
    if (state !== null) this.hotAccounts.put(address, state);
    return state;
  }

  private readAccount(address: Address, at: StateRef): Promise<AccountState> {
    const key = `${address}@${at.height}`;
    const underWay = this.reading.get(key);
    if (underWay !== undefined) return underWay;
    const reading = this.askReader(address, at).finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }

  private async askReader(address: Address, at: StateRef): Promise<AccountState> {
    const state = await this.reader.account(address, stateOf(at));
    // Only what is still true: the head may have moved while the reader worked.
    if (this.isHead(at)) this.hotAccounts.put(address, state);
    return state;
  }

  code(address: Address, at: StateRef): Promise<Hex> {
    return this.reader.code(address, stateOf(at));
  }

  storage(address: Address, slot: Hash, at: StateRef): Promise<Hash> {
    return this.reader.storage(address, slot, stateOf(at));
  }

  proof(address: Address, slots: readonly Hash[], at: StateRef): Promise<AccountProof<Hex>> {
    return this.reader.proof(address, slots, stateOf(at));
  }

  call(request: CallRequest, at: StateContext): Eventual<CallOutcome<Hex>> {
    const outcome = this.isHead(at) ? this.inlineCalls?.call(request, at) : null;
    return outcome ?? this.reader.call(request, at);
  }

  estimateGas(request: CallRequest, at: StateContext): Promise<CallOutcome<Hex>> {
    return this.reader.estimateGas(request, at);
  }

  private isHead(at: StateRef): boolean {
    return at.height === this.blocks.headHeight;
  }
}

/** Not the whole context: it is cloned to another thread. */
const stateOf = ({ height, stateRoot }: StateRef): StateRef => ({ height, stateRoot });
