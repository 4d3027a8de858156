import { heightOfKey, noEvents, type RecordWrite, statePrefix } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { accountListWrites } from './accountLists.ts';
import { metaKey } from './history.ts';

/** Entries of one batch while the lists are made again. */
const batchEntries = 10_000;

/** Marks that the lists are there. */
export const accountListsMark: RecordWrite = { key: metaKey('accountLists'), value: Uint8Array.of(1) };

/**
 * Makes the lists of accounts from the events and ended orders of the blocks that are kept, where a database has none: one of an earlier program, or
 * one that was restored from a snapshot. Begins anew after an interruption: the mark comes last.
 */
export async function ensureAccountLists(database: StateDatabase): Promise<void> {
  if (database.getSync(accountListsMark.key) !== undefined) return;
  for await (const writes of rebuilt(database)) await database.write(writes, { sync: false });
  await database.write([accountListsMark], { sync: true });
}

/** In batches. */
async function* rebuilt(database: StateDatabase): AsyncGenerator<readonly RecordWrite[]> {
  let batch: RecordWrite[] = [];
  for await (const writes of listsOfKeptBlocks(database)) {
    batch.push(...writes);
    if (batch.length < batchEntries) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function* listsOfKeptBlocks(database: StateDatabase): AsyncGenerator<readonly RecordWrite[]> {
  const { accountList, events, endedOrders } = statePrefix;
  for await (const [key] of database.entries(Uint8Array.of(accountList))) yield [{ key: key.slice(), value: null }];
  for await (const [key, frames] of database.entries(Uint8Array.of(events)))
    yield accountListWrites(heightOfKey(key), frames, null);
  for await (const [key, ended] of database.entries(Uint8Array.of(endedOrders)))
    yield accountListWrites(heightOfKey(key), noEvents, ended);
}
