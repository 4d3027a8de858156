import { bigintToBytes, type Height } from '@prime/primitives';
import { heightKey, statePrefix } from '@prime/codec';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import { type BlockRecords, storedRecords } from '../history/blockRecords.ts';
import { metaKey } from '../history/history.ts';
import { createIndexer, type WindowLimits } from '../history/windows.ts';

/**
 * A database of blocks that have nothing but what they are found by.
 *
 * @param blocks records of block 1 and those behind it
 * @param startsAt heights at which a new process goes on
 */
export async function indexedBlocks(
  blocks: readonly Partial<BlockRecords>[],
  limits?: WindowLimits,
  startsAt: readonly number[] = [],
): Promise<MemoryDatabase> {
  const database = createMemoryDatabase();
  const { receipts, logs, events, endedOrders: ended, blockHashes: hashes } = statePrefix;
  const prefixes = { receipts, logs, events, ended, hashes };
  let index = createIndexer(database, limits);
  for (const [at, records] of blocks.entries()) {
    const height = (at + 1) as Height;
    const writes = Object.entries(prefixes).flatMap(([name, prefix]) => {
      const value = records[name as keyof BlockRecords] ?? null;
      return value === null ? [] : [{ key: heightKey(prefix, height), value }];
    });
    await database.write([...writes, { key: metaKey('lastApplied'), value: bigintToBytes(BigInt(height)) }], {
      sync: false,
    });
    if (startsAt.includes(height)) index = createIndexer(database, limits);
    await index(height, storedRecords(database, height));
  }
  return database;
}
