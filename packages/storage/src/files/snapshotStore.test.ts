import { mkdtempSync, readdirSync, rmSync, truncateSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type SnapshotManifest, snapshotId } from '@prime/codec';
import type { Hash, Height } from '@prime/primitives';
import { openSnapshotStore, type SnapshotStore } from './snapshotStore.ts';

const hash = `0x${'77'.repeat(32)}` as Hash;
const manifestOf = (height: number, chunks = 2): SnapshotManifest => ({
  format: 1,
  height: height as Height,
  blockHash: hash,
  stateRoot: hash,
  ordersRoot: hash,
  chunkHashes: Array.from({ length: chunks }, () => hash),
});
async function* chunksOf(height: number, count = 2): AsyncGenerator<Uint8Array, void, undefined> {
  for (let index = 0; index < count; index++) yield Uint8Array.of(height, index);
}

let dir: string;
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'prime-snapshots-')), 'snapshots');
});
afterEach(() => rmSync(join(dir, '..'), { recursive: true }));

const take = (height: number): Promise<void> =>
  openSnapshotStore(dir).write(height as Height, chunksOf(height), () => manifestOf(height));

const heightsIn = (store: SnapshotStore): Height[] => store.list().map(({ manifest }) => manifest.height);

describe('openSnapshotStore', () => {
  it('nothing was taken: nothing is listed, and no folder is made', () => {
    expect(openSnapshotStore(dir).list()).toEqual([]);
    expect(readdirSync(join(dir, '..'))).toEqual([]);
  });

  it('what was written is listed, the newest first, and read', async () => {
    for (const height of [5, 20, 10]) await take(height);
    const store = openSnapshotStore(dir);
    expect(store.list().map(({ manifest }) => manifest)).toEqual([20, 10, 5].map((height) => manifestOf(height)));
    expect(store.chunk(20 as Height, 1)).toEqual(Uint8Array.of(20, 1));
    expect(store.chunk(20 as Height, 2)).toBeNull();
    expect(store.chunk(6 as Height, 0)).toBeNull();
  });

  it('one that fails on the way leaves nothing', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array, void, undefined> {
      yield Uint8Array.of(1);
      throw new Error('the state can not be read');
    };
    const store = openSnapshotStore(dir);
    const write = store.write(7 as Height, broken(), () => manifestOf(7));
    await expect(write).rejects.toMatchObject({ code: 'SNAPSHOT_WRITE_FAILED' });
    expect(readdirSync(dir)).toEqual([]);
  });

  it('one that was cut off by a crash is not offered, and is removed with the next pruning', async () => {
    await take(5);
    mkdirSync(join(dir, '9.tmp'));
    writeFileSync(join(dir, '9.tmp', 'chunk-00000'), 'half');
    const store = openSnapshotStore(dir);
    expect(heightsIn(store)).toEqual([5]);
    store.prune(2);
    expect(readdirSync(dir)).toEqual(['5']);
  });

  it('one whose manifest is damaged is not offered', async () => {
    await take(5);
    truncateSync(join(dir, '5', 'manifest'), 3);
    expect(openSnapshotStore(dir).list()).toEqual([]);
  });

  it('one is found by its height and told by its name, and is the same object while its file is', async () => {
    await take(5);
    const store = openSnapshotStore(dir);
    const kept = store.find(5 as Height);
    expect(kept).toEqual({ id: snapshotId(manifestOf(5)), manifest: manifestOf(5), encoded: expect.any(Uint8Array) });
    expect(store.find(5 as Height)).toBe(kept);
    expect(store.list()[0]).toBe(kept);
    expect(store.find(6 as Height)).toBeNull();
  });

  it('one that another process replaces, damages or deletes: noticed', async () => {
    await take(5);
    const store = openSnapshotStore(dir);
    store.list();
    await openSnapshotStore(dir).write(5 as Height, chunksOf(5, 3), () => manifestOf(5, 3));
    expect(store.find(5 as Height)?.id).toBe(snapshotId(manifestOf(5, 3)));
    truncateSync(join(dir, '5', 'manifest'), 3);
    expect(store.find(5 as Height)).toBeNull();
    await take(5);
    expect(store.find(5 as Height)?.id).toBe(snapshotId(manifestOf(5)));
    openSnapshotStore(dir).prune(0);
    expect(store.find(5 as Height)).toBeNull();
    expect(store.list()).toEqual([]);
  });

  it('only the newest are kept', async () => {
    for (const height of [100, 9, 20, 3]) await take(height);
    const store = openSnapshotStore(dir);
    store.prune(2);
    expect(heightsIn(store)).toEqual([100, 20]);
  });
});
