import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { blockPrefix, encodeStoredBlock, hashKey, heightKey } from '@prime/codec';
import type { BlockStore } from '@prime/engine';
import type { Hash, Height } from '@prime/primitives';
import { writeU32 } from '../files/bigEndian.ts';
import { openBlockStore } from './blockStore.ts';
import { crc32c } from '../files/crc32c.ts';
import { openDatabase } from './database.ts';
import { openStateDatabase } from './stateDatabase.ts';
import { compactToOneTable, damageFirstEntry, mergeTables } from '../testing/damagedTables.ts';
import { sampleChain, sampleValidators } from '../testing/sampleBlocks.ts';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';

const chain = sampleChain(12);
const h = (height: number): Height => height as Height;
const sizes = { cacheSize: 1 << 20, writeBufferSize: 1 << 20 };

async function fill(folder: string, from: number, to: number): Promise<BlockStore> {
  const store = await openBlockStore(folder);
  for (let height = from; height <= to; height++) await store.append(chain[height - 1]!, sampleValidators(height + 1));
  return store;
}

async function raw<T>(
  folder: string,
  work: (database: Awaited<ReturnType<typeof openDatabase>>) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(folder, sizes);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const checked = (value: Uint8Array): Uint8Array => {
  const bytes = new Uint8Array(value.length + 4);
  writeU32(bytes, 0, crc32c(value));
  bytes.set(value, 4);
  return bytes;
};

describe('block store', () => {
  it('a new one is empty, in a folder that was not there', () =>
    inTemporaryFolder(async (folder) => {
      const store = await openBlockStore(join(folder, 'deep', 'blocks'));
      expect(store.head()).toBe(0);
      expect(store.get(h(1))).toBeNull();
      expect(store.heightOf(chain[0]!.hash)).toBeNull();
      expect(store.validators(h(1))).toBeNull();
      await store.close();
    }));

  it('opened again: the same blocks, certificates and validators, and the next height goes on', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 5)).close();
      const store = await fill(folder, 6, 7);
      expect(store.head()).toBe(7);
      for (let height = 1; height <= 7; height++) {
        const stored = chain[height - 1]!;
        expect(store.get(h(height))).toEqual(stored);
        expect(store.heightOf(stored.hash)).toBe(height);
        expect(store.validators(h(height + 1))).toEqual(sampleValidators(height + 1));
      }
      expect(store.get(h(8))).toBeNull();
      await store.close();
    }));

  it('a gap, a repetition, another parent, two at once, and a reader that appends are mistakes of the caller', () =>
    inTemporaryFolder(async (folder) => {
      const store = await fill(folder, 1, 2);
      const next = sampleValidators(4);
      const broken = expect.objectContaining({ code: 'INVARIANT_BROKEN' });
      await expect(store.append(chain[3]!, next)).rejects.toEqual(broken);
      await expect(store.append(chain[1]!, next)).rejects.toEqual(broken);
      const { block } = chain[2]!;
      const fork = { ...block, header: { ...block.header, parentHash: chain[0]!.hash } };
      await expect(store.append({ ...chain[2]!, block: fork }, next)).rejects.toEqual(broken);
      const first = store.append(chain[2]!, next);
      await expect(store.append(chain[3]!, next)).rejects.toEqual(broken);
      await first;
      expect(store.head()).toBe(3);
      const reader = await openBlockStore(folder, { readonly: true });
      await expect(reader.append(chain[3]!, next)).rejects.toEqual(broken);
      await Promise.all([reader.close(), store.close()]);
    }));

  it('a write that fails surfaces with its cause, and the head stays', () =>
    inTemporaryFolder(async (folder) => {
      const store = await fill(folder, 1, 2);
      await store.close();
      await expect(store.append(chain[2]!, sampleValidators(4))).rejects.toMatchObject({
        code: 'BLOCK_STORE_WRITE_FAILED',
        cause: { code: 'LEVEL_DATABASE_NOT_OPEN' },
      });
      expect(store.head()).toBe(2);
      expect(() => store.get(h(1))).toThrow(expect.objectContaining({ code: 'BLOCK_STORE_READ_FAILED' }));
    }));
});

describe('block store that keeps recent blocks', () => {
  it('each append deletes what is too old, with hash and validators; the newest stay, over a restart and for readers', () =>
    inTemporaryFolder(async (folder) => {
      for (const [from, to] of [
        [1, 6],
        [7, 12],
      ] as const) {
        const store = await openBlockStore(folder, { keepBlocks: 4 });
        for (let height = from; height <= to; height++) {
          await store.append(chain[height - 1]!, sampleValidators(height + 1));
          const kept = chain.filter(({ block }) => store.get(block.header.height) !== null);
          expect(kept).toEqual(chain.slice(Math.max(0, height - 4), height));
        }
        await store.close();
      }
      const reader = await openBlockStore(folder, { readonly: true });
      expect(chain.map(({ hash }) => reader.heightOf(hash))).toEqual([...Array<null>(8).fill(null), 9, 10, 11, 12]);
      expect([8, 9, 13].map((height) => reader.validators(h(height)) !== null)).toEqual([false, true, true]);
      expect(reader.head()).toBe(12);
      await reader.close();
    }));

  it('an archive that is told to keep less catches up over several appends', () =>
    inTemporaryFolder(async (folder) => {
      const whole = await fill(folder, 1, 10);
      await whole.close();
      const store = await openBlockStore(folder, { keepBlocks: 2 });
      const kept = (): number[] => chain.map((_, index) => index + 1).filter((height) => store.get(h(height)) !== null);
      await store.append(chain[10]!, sampleValidators(12));
      expect(kept()).toEqual([9, 10, 11]);
      await store.append(chain[11]!, sampleValidators(13));
      expect(kept()).toEqual([11, 12]);
      await store.close();
    }));
});

describe('block store, damaged', () => {
  const corrupt = expect.objectContaining({ code: 'BLOCK_STORE_CORRUPT' });

  it('any flipped byte of a stored block is noticed when it is read', () =>
    inTemporaryFolder(async (folder) => {
      const store = await fill(folder, 1, 3);
      await raw(folder, async (database) => {
        const key = heightKey(blockPrefix.block, h(2));
        const value = database.getSync(key)!;
        for (let index = 0; index < value.length; index++) {
          const damaged = Uint8Array.from(value);
          damaged[index]! ^= 1 << (index % 8);
          await database.put(key, damaged);
          expect(() => store.get(h(2))).toThrow(corrupt);
        }
      });
      expect(store.get(h(1))).toEqual(chain[0]);
      await store.close();
    }));

  it('whole values in the wrong place are noticed: another height, another certificate, no list at all', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 3)).close();
      const key = heightKey(blockPrefix.block, h(2));
      const [first, second] = [chain[0]!, chain[1]!];
      const values = [
        encodeStoredBlock(first),
        encodeStoredBlock({ ...second, certificate: first.certificate }),
        Uint8Array.of(1, 2, 3),
        new Uint8Array(0),
      ];
      for (const value of values) {
        await raw(folder, (database) => database.put(key, checked(value)));
        const store = await openBlockStore(folder);
        expect(() => store.get(h(2))).toThrow(corrupt);
        await store.close();
      }
    }));

  it('a head without its block, hash or next validators is refused when opened', async () => {
    const { hash } = chain[2]!;
    const keys = [
      heightKey(blockPrefix.block, h(3)),
      hashKey(blockPrefix.heightByHash, hash),
      heightKey(blockPrefix.validators, h(4)),
    ];
    for (const key of keys)
      await inTemporaryFolder(async (folder) => {
        await (await fill(folder, 1, 3)).close();
        await raw(folder, (database) => database.del(key));
        await expect(openBlockStore(folder)).rejects.toEqual(corrupt);
      });
  });

  it('a height that is none, and damaged validators, are noticed', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 3)).close();
      const hash: Hash = chain[0]!.hash;
      await raw(folder, async (database) => {
        await database.put(hashKey(blockPrefix.heightByHash, hash), checked(new Uint8Array(7)));
        await database.put(heightKey(blockPrefix.validators, h(2)), checked(Uint8Array.of(0xc1)));
      });
      const store = await openBlockStore(folder);
      expect(() => store.heightOf(hash)).toThrow(corrupt);
      expect(() => store.validators(h(2))).toThrow(corrupt);
      await store.close();
    }));

  it('damage that LevelDB finds while it merges tables behind the writes is told from a disk that can not be written', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 10)).close();
      damageFirstEntry(await compactToOneTable(folder));
      const store = await openBlockStore(folder);
      await store.append(chain[10]!, sampleValidators(12));
      await mergeTables(folder);
      await expect(store.append(chain[11]!, sampleValidators(13))).rejects.toEqual(corrupt);
      expect(store.head()).toBe(11);
      await store.close();
    }));

  it('a layout of another version is refused', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 1)).close();
      const key = Uint8Array.from([blockPrefix.meta, ...Buffer.from('format')]);
      await raw(folder, (database) => database.put(key, checked(Uint8Array.of(9))));
      await expect(openBlockStore(folder)).rejects.toMatchObject({ code: 'BLOCK_STORE_FOREIGN', detail: { found: 9 } });
    }));

  it('a file where the folder should be is refused with the reason of the system', () =>
    inTemporaryFolder(async (folder) => {
      await (await fill(folder, 1, 1)).close();
      await expect(openBlockStore(join(folder, 'CURRENT'))).rejects.toMatchObject({
        code: 'DATABASE_OPEN_FAILED',
        detail: { systemCode: 'EEXIST' },
      });
    }));
});

describe('block store and state database in several threads', () => {
  it('two readers see every block, whole, while one thread writes', () =>
    inTemporaryFolder(async (folder) => {
      const places = { blocks: join(folder, 'blocks'), state: join(folder, 'state') };
      const store = await openBlockStore(places.blocks);
      const database = await openStateDatabase(places.state);
      const readers = [0, 1].map(() => startReader({ ...places, until: chain.length }));
      await Promise.all(readers.map(({ ready }) => ready));
      for (const stored of chain) {
        const { height } = stored.block.header;
        await database.write([{ key: Uint8Array.of(0x6d, height), value: Uint8Array.of(height) }], { sync: false });
        await store.append(stored, sampleValidators(height + 1));
      }
      const hashes = chain.map(({ hash }) => hash);
      for (const { read } of readers) expect(await read).toEqual(hashes);
      await store.close();
      await database.close();
      const again = await openBlockStore(places.blocks);
      expect(again.head()).toBe(chain.length);
      await again.close();
    }));
});

interface Reader {
  readonly ready: Promise<void>;
  readonly read: Promise<readonly string[]>;
}

function startReader(workerData: object): Reader {
  const worker = new Worker(new URL('../testing/blockReader.worker.js', import.meta.url), { workerData });
  const failed = new Promise<never>((_, reject) => worker.once('error', reject));
  const message = <T>(kind: string): Promise<T> =>
    new Promise((resolve) => {
      worker.on('message', (value: { readonly kind: string }) => {
        if (value.kind === kind) resolve(value as T);
      });
    });
  const read = message<{ readonly hashes: readonly string[] }>('read').then(({ hashes }) => hashes);
  return { ready: Promise.race([message<void>('ready'), failed]), read: Promise.race([read, failed]) };
}
