import type { Scan, StateDatabase } from '@prime/evm';
import { type Database, openDatabase, prefixEnd, writeBatch } from './database.ts';
import { isLevelCorruption, messageOf, StorageError, systemCodeOf } from './errors.ts';

/** Nodes of the trie are read at random and are the most of what is read. */
const defaultCacheBytes = 32 << 20;
const writeBufferSize = 16 << 20;

export interface StateDatabaseOptions {
  /** Block cache of the database, default 32 MiB; whoever opens the folder first sets it. */
  readonly cacheBytes?: number;
}

/**
 * Opens the state database. Any thread of the process may open the same folder; only one of them writes.
 *
 * @throws StorageError `DATABASE_OPEN_FAILED`; its methods `STATE_DATABASE_CORRUPT`,
 * `STATE_DATABASE_READ_FAILED` and `STATE_DATABASE_WRITE_FAILED`
 */
export async function openStateDatabase(dir: string, options: StateDatabaseOptions = {}): Promise<StateDatabase> {
  const { cacheBytes = defaultCacheBytes } = options;
  const database = await openDatabase(dir, { cacheSize: cacheBytes, writeBufferSize });
  const path = database.location;
  return {
    getSync(key) {
      try {
        return database.getSync(key);
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
    async getMany(keys) {
      try {
        return await database.getMany([...keys]);
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
    scan: (from, before) => scanOf(database, from, before),
    entries: (prefix) => entriesOf(database, prefix),
    async write(writes, options) {
      try {
        await writeBatch(database, writes, options);
      } catch (cause) {
        throw new StorageError(
          `can not write the state database ${path}: ${messageOf(cause)}`,
          { code: 'STATE_DATABASE_WRITE_FAILED', path, systemCode: systemCodeOf(cause) },
          { cause },
        );
      }
    },
    close: () => database.close(),
  };
}

/** Of the moment of the call: what is written while it runs is not seen. */
async function* entriesOf(
  database: Database,
  prefix: Uint8Array,
): AsyncGenerator<readonly [key: Uint8Array, value: Uint8Array], void, undefined> {
  const end = prefixEnd(prefix);
  const range = end === null ? { gte: prefix } : { gte: prefix, lt: end };
  try {
    yield* database.iterator({ ...range, fillCache: false });
  } catch (cause) {
    throw unreadable(database.location, cause);
  }
}

function scanOf(database: Database, from: Uint8Array, before: Uint8Array): Scan {
  const iterator = database.iterator({ gte: from, lt: before });
  return {
    seek: (key) => iterator.seek(key),
    async next(count) {
      try {
        return await iterator.nextv(count);
      } catch (cause) {
        throw unreadable(database.location, cause);
      }
    },
    close: () => iterator.close(),
  };
}

function unreadable(path: string, cause: unknown): StorageError {
  const reason = messageOf(cause);
  const detail = isLevelCorruption(cause)
    ? ({ code: 'STATE_DATABASE_CORRUPT', path, reason } as const)
    : ({ code: 'STATE_DATABASE_READ_FAILED', path, systemCode: systemCodeOf(cause) } as const);
  return new StorageError(`can not read the state database ${path}: ${reason}`, detail, { cause });
}
