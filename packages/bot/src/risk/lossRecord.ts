import { keccak256, stringToBytes } from 'viem';
import { BotError } from '../errors.ts';
import type { ProfitRecord } from './profitCount.ts';

/** What the loss limit counts from and how far it has come: what has to outlive the process. */
export interface LossRecord extends ProfitRecord {
  /** The limit was passed: nothing is quoted until somebody resets it. */
  readonly isReached: boolean;
}

/** Whose loss it is. */
export interface LossScope {
  /** Hash of the network's genesis. */
  readonly genesis: `0x${string}`;
  /** In lower case. */
  readonly account: string;
  readonly marketId: number;
}

const format = 'prime-bot-loss-1';
/** One JSON object with a check over all of it. */
export function encodeLossRecord({ genesis, account, marketId }: LossScope, record: LossRecord): string {
  const fields = {
    format,
    genesis,
    account,
    market: marketId,
    since: `${record.since}`,
    block: `${record.blockNumber}`,
    position: `${record.position}`,
    cash: `${record.cash}`,
    reached: record.isReached,
  };
  return `${JSON.stringify({ ...fields, check: keccak256(stringToBytes(JSON.stringify(fields))) }, null, 2)}\n`;
}

/** @param path for messages @throws BotError `BOT_STATE_DAMAGED` */
export function decodeLossRecord(
  text: string,
  path: string,
): { readonly scope: LossScope; readonly record: LossRecord } {
  try {
    const fields = JSON.parse(text) as Readonly<Record<string, unknown>>;
    const scope = { genesis: fields['genesis'], account: fields['account'], marketId: fields['market'] } as LossScope;
    const record = {
      since: BigInt(fields['since'] as string),
      blockNumber: BigInt(fields['block'] as string),
      position: BigInt(fields['position'] as string),
      cash: BigInt(fields['cash'] as string),
      isReached: fields['reached'] === true,
    };
    // Written again it is the same, check included: no field is missing, of another form, or changed by hand.
    if (encodeLossRecord(scope, record) === text) return { scope, record };
  } catch {
    // No JSON, or a field that is no number: damaged, as below.
  }
  throw new BotError(`${path} is damaged: it is not what a bot wrote`, { code: 'BOT_STATE_DAMAGED', path });
}

/** @throws BotError `BOT_STATE_FOREIGN` that names what differs */
export function checkScope(found: LossScope, wanted: LossScope, path: string): void {
  const field = (['genesis', 'account', 'marketId'] as const).find((name) => found[name] !== wanted[name]);
  if (field === undefined) return;
  const what = { genesis: 'network', account: 'account', marketId: 'market' }[field];
  const detail = { path, what, found: `${found[field]}`, expected: `${wanted[field]}` };
  throw new BotError(`${path} is of another ${what}: ${detail.found}, not ${detail.expected}`, {
    code: 'BOT_STATE_FOREIGN',
    ...detail,
  });
}
