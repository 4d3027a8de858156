import { type RecordWrite, statePrefix } from '@prime/codec';
import type { Scan, ScanDirection, StateDatabase } from '@prime/evm';
import { assert, bytesEqual, bytesToHex, isPrimeError, utf8ToBytes } from '@prime/primitives';
import { readU32, writeU32 } from '../files/bigEndian.ts';
import { crc32c } from '../files/crc32c.ts';
import { type Database, openDatabase, prefixEnd, writeBatch } from './database.ts';
import { isLevelCorruption, messageOf, StorageError, systemCodeOf } from '../errors.ts';

/** Nodes of the trie are read at random and are the most of what is read. */
const defaultCacheBytes = 32 << 20;
const writeBufferSize = 16 << 20;

/** How much memory the state database takes for reading. */
export interface StateDatabaseOptions {
  /** Block cache of the database, default 32 MiB; whoever opens the folder first sets it. */
  readonly cacheBytes?: number;
}

/** Values are followed by their checksum. Databases of layout 1 have neither checksums nor this mark. */
const layout = 2;
const layoutKey = Uint8Array.of(0xff, ...utf8ToBytes('layout'));

/**
 * Opens the state database. Any thread of the process may open the same folder; only one of them writes.
 *
 * Each value is followed by the CRC-32C of key and value: LevelDB checks what it reads from tables only on request, and has no option for
 * that here.
 *
 * @throws StorageError `DATABASE_CORRUPT`, `DATABASE_OPEN_FAILED`, `STATE_DATABASE_FOREIGN`; its methods `STATE_DATABASE_CORRUPT`,
 * `STATE_DATABASE_READ_FAILED` and `STATE_DATABASE_WRITE_FAILED`; writing an empty value is an InvariantError, and nothing of its batch is written
 */
export async function openStateDatabase(dir: string, options: StateDatabaseOptions = {}): Promise<StateDatabase> {
  const { cacheBytes = defaultCacheBytes } = options;
  const database = await openDatabase(dir, { cacheSize: cacheBytes, writeBufferSize });
  try {
    await checkLayout(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  const path = database.location;
  const checked = (key: Uint8Array, sealed: Uint8Array | undefined): Uint8Array | undefined =>
    sealed === undefined ? undefined : unseal(path, key, sealed);
  return {
    getSync(key) {
      let sealed: Uint8Array | undefined;
      try {
        sealed = database.getSync(key);
      } catch (cause) {
        throw unreadable(path, cause);
      }
      return checked(key, sealed);
    },
    async getMany(keys) {
      let values: readonly (Uint8Array | undefined)[];
      try {
        values = await database.getMany([...keys]);
      } catch (cause) {
        throw unreadable(path, cause);
      }
      return values.map((value, index) => checked(keys[index]!, value));
    },
    scan: (from, before, direction = 'up') => scanOf(database, from, before, direction),
    entries: (prefix) => entriesOf(database, prefix),
    async write(writes, options) {
      try {
        await writeBatch(database, sealed(writes), options);
      } catch (cause) {
        // What the caller got wrong is not the disk's fault.
        throw isPrimeError(cause) ? cause : failed('write', path, cause);
      }
    },
    close: () => database.close(),
  };
}

/** Marks an empty database, and refuses one that is marked otherwise. */
async function checkLayout(database: Database): Promise<void> {
  const path = database.location;
  let stored: Uint8Array | undefined;
  try {
    stored = database.getSync(layoutKey);
    if (stored?.[0] === layout) return;
    const isEmpty = (await database.keys({ limit: 1 }).all()).length === 0;
    if (stored === undefined && isEmpty) return await database.put(layoutKey, Uint8Array.of(layout));
  } catch (cause) {
    throw unreadable(path, cause);
  }
  const found = stored?.[0] ?? 1;
  throw new StorageError(`the state database ${path} has layout ${found}, this program knows ${layout}`, {
    code: 'STATE_DATABASE_FOREIGN',
    path,
    found,
    expected: layout,
  });
}

const checksumBytes = 4;

/** Each value is good until the next one is asked for: a batch of LevelDB copies what it is given. */
function* sealed(writes: Iterable<RecordWrite>): Generator<RecordWrite> {
  for (const { key, value } of writes) yield { key, value: value === null ? null : seal(key, value) };
}

/** Kinds of records in which nothing means something: the number 0 of a mark, and a record of the order book that was not there before. */
const mayBeEmpty: ReadonlySet<number | undefined> = new Set([statePrefix.meta, statePrefix.orderHistory]);

/** Memory of sealed values. An array of its own for each would be got outside of the heap and given back: half a microsecond a record. */
const sealScratch = new Uint8Array(8 * 1024);

/**
 * @returns the value and its checksum, mostly in {@link sealScratch}
 * @throws InvariantError for an empty value of any other kind: no such record is one, and whoever reads it later could not go on
 */
function seal(key: Uint8Array, value: Uint8Array): Uint8Array {
  assert(value.length > 0 || mayBeEmpty.has(key[0]), `the record ${bytesToHex(key)} is empty`);
  const length = value.length + checksumBytes;
  const bytes = length <= sealScratch.length ? sealScratch.subarray(0, length) : new Uint8Array(length);
  bytes.set(value);
  writeU32(bytes, value.length, crc32c(value, crc32c(key)));
  return bytes;
}

function unseal(path: string, key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const length = bytes.length - checksumBytes;
  const value = bytes.subarray(0, Math.max(0, length));
  if (length >= 0 && readU32(bytes, length) === crc32c(value, crc32c(key))) return value;
  const reason = `the value of ${bytesToHex(key)} does not match its checksum`;
  throw new StorageError(`can not read the state database ${path}: ${reason}`, {
    code: 'STATE_DATABASE_CORRUPT',
    path,
    reason,
  });
}

/** Of the moment of the call: what is written while it runs is not seen. */
async function* entriesOf(
  database: Database,
  prefix: Uint8Array,
): AsyncGenerator<readonly [key: Uint8Array, value: Uint8Array], void, undefined> {
  const end = prefixEnd(prefix);
  const range = end === null ? { gte: prefix } : { gte: prefix, lt: end };
  try {
    for await (const [key, value] of database.iterator({ ...range, fillCache: false }))
      if (!bytesEqual(key, layoutKey)) yield [key, unseal(database.location, key, value)];
  } catch (cause) {
    throw isPrimeError(cause) ? cause : unreadable(database.location, cause);
  }
}

/** Bytes of the entries that are read at once: with LevelDB's 16 KiB a portion of small ones would come in several. */
const scanBytesMax = 256 * 1024;

function scanOf(database: Database, from: Uint8Array, before: Uint8Array, direction: ScanDirection): Scan {
  const reverse = direction === 'down';
  const iterator = database.iterator({ gte: from, lt: before, reverse, highWaterMarkBytes: scanBytesMax });
  return {
    seek: (key) => iterator.seek(key),
    async next(count) {
      let entries: readonly (readonly [Uint8Array, Uint8Array])[];
      try {
        entries = await iterator.nextv(count);
      } catch (cause) {
        throw unreadable(database.location, cause);
      }
      return entries.map(([key, value]) => [key, unseal(database.location, key, value)] as const);
    },
    close: () => iterator.close(),
  };
}

const unreadable = (path: string, cause: unknown): StorageError => failed('read', path, cause);

function failed(what: 'read' | 'write', path: string, cause: unknown): StorageError {
  const reason = messageOf(cause);
  const code = what === 'read' ? 'STATE_DATABASE_READ_FAILED' : 'STATE_DATABASE_WRITE_FAILED';
  const detail = isLevelCorruption(cause)
    ? ({ code: 'STATE_DATABASE_CORRUPT', path, reason } as const)
    : ({ code, path, systemCode: systemCodeOf(cause) } as const);
  return new StorageError(`can not ${what} the state database ${path}: ${reason}`, detail, { cause });
}
