import {
  blockPrefix,
  decodeStoredBlock,
  decodeValidatorSet,
  encodeStoredBlock,
  encodeValidatorSet,
  hashKey,
  heightKey,
  prefixedKey,
  type RecordWrite,
  type StoredBlock,
  type ValidatorSet,
} from '@prime/codec';
import type { BlockStore } from '@prime/engine';
import { assert, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { readU32, readU64, writeU32, writeU64 } from '../files/bigEndian.ts';
import { crc32c } from '../files/crc32c.ts';
import { openDatabase, writeBatch } from './database.ts';
import { isLevelCorruption, messageOf, StorageError, systemCodeOf } from '../errors.ts';

const format = 1;
const defaultCacheBytes = 16 << 20;
const writeBufferSize = 8 << 20;
const headKey = prefixedKey(blockPrefix.meta, utf8ToBytes('head'));
const oldestKey = prefixedKey(blockPrefix.meta, utf8ToBytes('oldest'));
/** Old blocks that one append deletes at most: one is needed, more after a change of the configuration. */
const deletionsMax = 8;
const formatKey = prefixedKey(blockPrefix.meta, utf8ToBytes('format'));

/** How a thread uses the store. What it says about the folder holds for all threads. */
export interface BlockStoreOptions {
  /** For threads beside the one that appends: the head is read from the database each time. Default false. */
  readonly readonly?: boolean;
  /** Block cache of the database, default 16 MiB; whoever opens the folder first sets it. */
  readonly cacheBytes?: number;
  /** Newest blocks that are kept, at least 2; each append deletes what is older. null, the default, keeps all. */
  readonly keepBlocks?: number | null;
  /** Told of each batch that was waited for. @param ms how long */
  readonly onSync?: (ms: number) => void;
}

/**
 * Opens the block store.
 *
 * Values are behind their CRC-32C: LevelDB checks its log on recovery, but what it reads from tables only on request, and has no
 * option for that here.
 *
 * @throws StorageError `BLOCK_STORE_CORRUPT`, `BLOCK_STORE_FOREIGN`, `DATABASE_OPEN_FAILED`; its methods `BLOCK_STORE_CORRUPT`,
 * `BLOCK_STORE_READ_FAILED` and `BLOCK_STORE_WRITE_FAILED`
 */
export async function openBlockStore(dir: string, options: BlockStoreOptions = {}): Promise<BlockStore> {
  const { readonly = false, cacheBytes = defaultCacheBytes, keepBlocks = null, onSync } = options;
  const database = await openDatabase(dir, { cacheSize: cacheBytes, writeBufferSize });
  try {
    return createBlockStore(
      {
        location: database.location,
        getSync: (key) => database.getSync(key),
        async write(writes) {
          const before = performance.now();
          await writeBatch(database, writes, { sync: true });
          onSync?.(performance.now() - before);
        },
        close: () => database.close(),
      },
      { readonly, keepBlocks },
    );
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A database of blocks: batches are atomic, and durable when the promise of {@link BlockDatabase.write} resolves. */
export interface BlockDatabase {
  /** For messages. */
  readonly location: string;
  getSync(key: Uint8Array): Uint8Array | undefined;
  write(writes: readonly RecordWrite[]): Promise<void>;
  close(): Promise<void>;
}

/**
 * The block store on any database; the simulation gives it one that loses what was not written to its end.
 *
 * @throws StorageError `BLOCK_STORE_CORRUPT`, `BLOCK_STORE_FOREIGN`
 */
export const createBlockStore = (
  database: BlockDatabase,
  { readonly = false, keepBlocks = null }: Omit<BlockStoreOptions, 'cacheBytes'> = {},
): BlockStore => new LevelBlockStore(database, readonly, keepBlocks);

/** The first block of a store that begins later than at 1, and what is known of the validators. */
export interface BlockStoreSeed {
  readonly stored: StoredBlock;
  readonly validators: ValidatorSet;
  readonly nextValidators: ValidatorSet;
}

/** What an empty block database has to be given so that it begins with a later block: one batch. */
export function blockStoreSeed({ stored, validators, nextValidators }: BlockStoreSeed): readonly RecordWrite[] {
  const { height } = stored.block.header;
  const heightBytes = new Uint8Array(8);
  writeU64(heightBytes, 0, height);
  const put = (key: Uint8Array, value: Uint8Array): RecordWrite => ({ key, value: withChecksum(value) });
  return [
    put(heightKey(blockPrefix.block, height), encodeStoredBlock(stored)),
    put(hashKey(blockPrefix.heightByHash, stored.hash), heightBytes),
    put(heightKey(blockPrefix.validators, height), encodeValidatorSet(validators)),
    put(heightKey(blockPrefix.validators, (height + 1) as Height), encodeValidatorSet(nextValidators)),
    put(headKey, heightBytes),
    put(oldestKey, heightBytes),
    put(formatKey, Uint8Array.of(format)),
  ];
}

/**
 * Writes an empty block store whose first block is a later one than 1: what a node begins with that was restored from a snapshot.
 *
 * @throws StorageError `DATABASE_OPEN_FAILED`, `BLOCK_STORE_WRITE_FAILED`
 */
export async function seedBlockStore(dir: string, seed: BlockStoreSeed): Promise<void> {
  const database = await openDatabase(dir, { cacheSize: defaultCacheBytes, writeBufferSize });
  try {
    await writeBatch(database, blockStoreSeed(seed), { sync: true });
  } catch (cause) {
    const detail = { code: 'BLOCK_STORE_WRITE_FAILED', path: dir, systemCode: systemCodeOf(cause) } as const;
    throw new StorageError(`can not write the block store ${dir}: ${messageOf(cause)}`, detail, { cause });
  } finally {
    await database.close();
  }
}

class LevelBlockStore implements BlockStore {
  readonly #database: BlockDatabase;
  readonly #readonly: boolean;
  readonly #keepBlocks: number | null;
  /** Of the writer. */
  #head: { readonly height: Height; readonly hash: Hash | null } = { height: 0 as Height, hash: null };
  #writing = false;
  #failed = false;

  constructor(database: BlockDatabase, readonly: boolean, keepBlocks: number | null) {
    this.#database = database;
    this.#readonly = readonly;
    this.#keepBlocks = keepBlocks;
    const found = this.#read(formatKey, 'format');
    if (found !== null && found[0] !== format)
      throw new StorageError(`${this.#path} has format ${found[0]}, this program knows ${format}`, {
        code: 'BLOCK_STORE_FOREIGN',
        path: this.#path,
        found: found[0] ?? 0,
        expected: format,
      });
    if (!readonly) this.#head = this.#storedHead();
  }

  get #path(): string {
    return this.#database.location;
  }

  #storedHead(): { readonly height: Height; readonly hash: Hash | null } {
    const height = this.#headHeight();
    if (height === 0) return { height, hash: null };
    const block = this.get(height);
    if (block === null) throw this.#corrupt('the block at the head is missing', { height });
    if (this.heightOf(block.hash) !== height) throw this.#corrupt('the head is not found by its hash', { height });
    if (this.validators((height + 1) as Height) === null)
      throw this.#corrupt('the validators behind the head are missing', { height });
    return { height, hash: block.hash };
  }

  head(): Height {
    return this.#readonly ? this.#headHeight() : this.#head.height;
  }

  base(): Height {
    const stored = this.#read(oldestKey, 'oldest block');
    return stored === null ? (1 as Height) : this.#heightIn(stored, 'oldest block');
  }

  #headHeight(): Height {
    const bytes = this.#read(headKey, 'head');
    return bytes === null ? (0 as Height) : this.#heightIn(bytes, 'head');
  }

  get(height: Height): StoredBlock | null {
    const bytes = this.#read(heightKey(blockPrefix.block, height), 'block', height);
    if (bytes === null) return null;
    const stored = this.#decoded(() => decodeStoredBlock(bytes), 'block', height);
    const { block, hash, certificate } = stored;
    if (block.header.height !== height)
      throw this.#corrupt(`its block has height ${block.header.height}`, { height, hash });
    if (certificate.blockHash !== hash)
      throw this.#corrupt(`its certificate is for ${certificate.blockHash}`, { height, hash });
    return stored;
  }

  heightOf(hash: Hash): Height | null {
    const bytes = this.#read(hashKey(blockPrefix.heightByHash, hash), 'height', null, hash);
    return bytes === null ? null : this.#heightIn(bytes, 'height', hash);
  }

  validators(height: Height): ValidatorSet | null {
    const bytes = this.#read(heightKey(blockPrefix.validators, height), 'validators', height);
    return bytes === null ? null : this.#decoded(() => decodeValidatorSet(bytes), 'validators', height);
  }

  async append(stored: StoredBlock, nextValidators: ValidatorSet): Promise<void> {
    const { header } = stored.block;
    const { height } = header;
    assert(!this.#readonly, 'a reader of blocks does not append');
    assert(!this.#writing, 'one block is appended at a time');
    assert(height === this.#head.height + 1, `block ${this.#head.height + 1} is next, got ${height}`);
    assert(this.#head.hash === null || header.parentHash === this.#head.hash, `block ${height} has another parent`);
    if (this.#failed) throw this.#writeFailed('an earlier write failed', 'EARLIER_FAILURE');
    const heightBytes = new Uint8Array(8);
    writeU64(heightBytes, 0, height);
    const put = (key: Uint8Array, value: Uint8Array): RecordWrite => ({ key, value: withChecksum(value) });
    const writes = [
      put(heightKey(blockPrefix.block, height), encodeStoredBlock(stored)),
      put(hashKey(blockPrefix.heightByHash, stored.hash), heightBytes),
      put(heightKey(blockPrefix.validators, (height + 1) as Height), encodeValidatorSet(nextValidators)),
      put(headKey, heightBytes),
      put(formatKey, Uint8Array.of(format)),
      ...this.#deletions(height),
    ];
    this.#writing = true;
    try {
      await this.#database.write(writes);
      this.#head = { height, hash: stored.hash };
    } catch (cause) {
      this.#failed = true;
      if (isLevelCorruption(cause)) throw this.#corrupt(messageOf(cause), { height, hash: stored.hash }, cause);
      throw this.#writeFailed(messageOf(cause), systemCodeOf(cause), cause);
    } finally {
      this.#writing = false;
    }
  }

  /** Removes blocks that are too old once `head` is appended; in its batch, so that the blocks stay without gaps. */
  #deletions(head: Height): RecordWrite[] {
    const keep = this.#keepBlocks;
    if (keep === null || head < keep) return [];
    const oldest = this.base();
    const to = Math.min(head - keep + 1, oldest + deletionsMax);
    if (to <= oldest) return [];
    const writes: RecordWrite[] = [];
    for (let height = oldest as Height; height < to; height++) {
      const block = this.get(height);
      if (block !== null) writes.push({ key: hashKey(blockPrefix.heightByHash, block.hash), value: null });
      writes.push(
        { key: heightKey(blockPrefix.block, height), value: null },
        { key: heightKey(blockPrefix.validators, height), value: null },
      );
    }
    const bytes = new Uint8Array(8);
    writeU64(bytes, 0, to);
    return [...writes, { key: oldestKey, value: withChecksum(bytes) }];
  }

  /** Waits for the block that is being written. */
  close(): Promise<void> {
    return this.#database.close();
  }

  #read(key: Uint8Array, what: string, height: Height | null = null, hash: Hash | null = null): Uint8Array | null {
    let value: Uint8Array | undefined;
    try {
      value = this.#database.getSync(key);
    } catch (cause) {
      if (isLevelCorruption(cause)) throw this.#corrupt(messageOf(cause), { height, hash }, cause);
      const detail = { code: 'BLOCK_STORE_READ_FAILED', path: this.#path, systemCode: systemCodeOf(cause) } as const;
      throw new StorageError(`can not read the ${what} in ${this.#path}: ${messageOf(cause)}`, detail, { cause });
    }
    if (value === undefined) return null;
    const bytes = value.subarray(4);
    if (value.length < 4 || crc32c(bytes) !== readU32(value, 0))
      throw this.#corrupt(`the checksum of the ${what} is wrong`, { height, hash });
    return bytes;
  }

  #heightIn(bytes: Uint8Array, what: string, hash: Hash | null = null): Height {
    const height = bytes.length === 8 ? readU64(bytes, 0) : Number.NaN;
    if (!Number.isSafeInteger(height)) throw this.#corrupt(`the ${what} is not a height`, { hash });
    return height as Height;
  }

  #decoded<T>(decode: () => T, what: string, height: Height): T {
    try {
      return decode();
    } catch (cause) {
      throw this.#corrupt(`the ${what} does not decode: ${messageOf(cause)}`, { height }, cause);
    }
  }

  #corrupt(
    reason: string,
    { height = null, hash = null }: { readonly height?: Height | null; readonly hash?: Hash | null },
    cause?: unknown,
  ): StorageError {
    const place = height === null ? (hash ?? 'its head') : `height ${height}`;
    const detail = { code: 'BLOCK_STORE_CORRUPT', path: this.#path, height, hash, reason } as const;
    return new StorageError(`the block store ${this.#path} is damaged at ${place}: ${reason}`, detail, { cause });
  }

  #writeFailed(reason: string, systemCode: string, cause?: unknown): StorageError {
    const detail = { code: 'BLOCK_STORE_WRITE_FAILED', path: this.#path, systemCode } as const;
    return new StorageError(`can not write the block store ${this.#path}: ${reason}`, detail, { cause });
  }
}

function withChecksum(value: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(4 + value.length);
  writeU32(bytes, 0, crc32c(value));
  bytes.set(value, 4);
  return bytes;
}
