import type { ScheduledCancelRecord } from '@prime/codec';
import type { Address } from '@prime/primitives';
import type { Account } from './accounts.ts';
import { ensureAccount } from './changes.ts';
import type { ClobState } from './state.ts';

/** Changes when the orders of accounts are to end, each with its undo. */

/** Earliest time is the greatest key; ties go to the lower address. */
const keyOf = (address: Address, atMs: number): bigint => -((BigInt(atMs) << 160n) | BigInt(address));

/** Sets when the orders of an account end; 0 for never. */
export function setSchedule(state: ClobState, account: Account, atMs: number): void {
  const before = state.schedules.timeOf.get(account.address) ?? 0;
  state.schedules.dirty.add(account.address);
  put(state, account, atMs);
  state.journal.push(() => put(state, account, before));
}

function put({ schedules: { timeOf, byTime } }: ClobState, { address, index }: Account, atMs: number): void {
  const before = timeOf.get(address);
  if (before !== undefined) byTime.remove(keyOf(address, before));
  if (atMs === 0) timeOf.delete(address);
  else {
    timeOf.set(address, atMs);
    byTime.insert(keyOf(address, atMs), index);
  }
}

/** Takes a stored one in. */
export const loadSchedule = (state: ClobState, { account, atMs }: ScheduledCancelRecord): void =>
  put(state, ensureAccount(state, account), atMs);

/** The account whose time comes first, and when that is, ms; null where nothing is scheduled. */
export function nextSchedule({
  accounts,
  schedules,
}: ClobState): { readonly account: Account; readonly atMs: number } | null {
  const place = schedules.first();
  if (place < 0) return null;
  const account = accounts[place]!;
  return { account, atMs: schedules.timeOf.get(account.address)! };
}
