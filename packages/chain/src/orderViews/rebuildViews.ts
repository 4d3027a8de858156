import { type RecordWrite, statePrefix } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { bigintToBytes, bigintToNumber, bytesToBigint, type Height } from '@prime/primitives';
import { metaKey } from '../history/history.ts';
import { deriveViews, type RecordChange } from './deriveViews.ts';

/** Entries of one batch while views are made again. */
const batchEntries = 10_000;

/** Marks that views are there, and from which height on their history is. */
export const orderViewsSince = (height: Height): RecordWrite => ({
  key: metaKey('orderViews'),
  value: bigintToBytes(BigInt(height)),
});

/** Height from which on the past of the order book is known; null where there are no views. */
export function readOrderViewsSince(database: Pick<StateDatabase, 'getSync'>): Height | null {
  const stored = database.getSync(metaKey('orderViews'));
  return stored === undefined ? null : (bigintToNumber(bytesToBigint(stored)) as Height);
}

/**
 * Makes the views from the records where a database has none, as one that was restored from a snapshot. Begins anew after an interruption:
 * the mark comes last.
 *
 * @param height newest block of the database
 */
export async function ensureOrderViews(database: StateDatabase, height: Height): Promise<void> {
  if (readOrderViewsSince(database) !== null) return;
  const stale: RecordWrite[] = [];
  for (const prefix of [statePrefix.orderView, statePrefix.orderHistory, statePrefix.orderHistoryKeys])
    for await (const [key] of database.entries(Uint8Array.of(prefix))) stale.push({ key: key.slice(), value: null });
  const changes: RecordChange[] = [];
  for await (const [key, value] of database.entries(Uint8Array.of(statePrefix.clobRecord)))
    changes.push({ key: key.slice(1), before: null, after: value.slice() });
  const views = await deriveViews(changes, async (keys) => keys.map(() => null));
  const writes = [...stale, ...views.map(({ key, after }) => ({ key, value: after }))];
  for (let at = 0; at < writes.length; at += batchEntries)
    await database.write(writes.slice(at, at + batchEntries), { sync: false });
  await database.write([orderViewsSince(height)], { sync: true });
}
