import { bigintToBytes, type Height } from '@prime/primitives';
import { heightKey, statePrefix } from '@prime/codec';
import { createMemoryDatabase, type MemoryDatabase } from '@prime/evm/testing';
import { type BlockRecords, storedRecords } from '../history/blockRecords.ts';
import { metaKey } from '../history/history.ts';
import { createIndexer, type WindowLimits } from '../history/windows.ts';

const { receipts, logs, events, endedOrders: ended, blockHashes: hashes } = statePrefix;
const prefixes = { receipts, logs, events, ended, hashes };

/** Blocks that have nothing but what they are found by, one after the other. */
export class IndexedBlocks {
  readonly database = createMemoryDatabase();
  readonly #limits: WindowLimits | undefined;
  #index: ReturnType<typeof createIndexer>;
  #head = 0;

  constructor(limits?: WindowLimits) {
    this.#limits = limits;
    this.#index = createIndexer(this.database, limits);
  }

  /** Commits and indexes a block. All of it is done when the call returns, as the database is in memory. */
  async add(records: Partial<BlockRecords>): Promise<void> {
    const height = ++this.#head as Height;
    const writes = Object.entries(prefixes).flatMap(([name, prefix]) => {
      const value = records[name as keyof BlockRecords] ?? null;
      return value === null ? [] : [{ key: heightKey(prefix, height), value }];
    });
    const head = { key: metaKey('lastApplied'), value: bigintToBytes(BigInt(height)) };
    const written = this.database.write([...writes, head], { sync: false });
    const indexed = this.#index(height, storedRecords(this.database, height));
    await Promise.all([written, indexed]);
  }

  /** A new process goes on. */
  restart(): void {
    this.#index = createIndexer(this.database, this.#limits);
  }
}

/**
 * The database of {@link IndexedBlocks}.
 *
 * @param blocks records of block 1 and those behind it
 * @param startsAt heights at which a new process goes on
 */
export async function indexedBlocks(
  blocks: readonly Partial<BlockRecords>[],
  limits?: WindowLimits,
  startsAt: readonly number[] = [],
): Promise<MemoryDatabase> {
  const chain = new IndexedBlocks(limits);
  for (const [at, records] of blocks.entries()) {
    if (startsAt.includes(at + 1)) chain.restart();
    await chain.add(records);
  }
  return chain.database;
}
