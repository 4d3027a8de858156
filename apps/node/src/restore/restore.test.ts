import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Genesis, SnapshotManifest } from '@prime/codec';
import { homePaths, type HomePaths } from '@prime/config';
import type { Hash, Height } from '@prime/primitives';
import { restoreSnapshot } from './restore.ts';
import { finishRestore } from './restorePlace.ts';

let home: HomePaths;
beforeEach(() => {
  home = homePaths(mkdtempSync(join(tmpdir(), 'prime-restore-')));
});
afterEach(() => rmSync(home.home, { recursive: true }));

const folder = (path: string, word: string): void => {
  mkdirSync(path);
  writeFileSync(join(path, 'word'), word);
};
const wordIn = (path: string): string => readFileSync(join(path, 'word'), 'utf8');
const marker = (): void => writeFileSync(join(home.home, 'RESTORE'), '7\n');

describe('a start after a restore that was cut off', () => {
  it('before it counted: what it left is removed, and the home is as it was', () => {
    folder(`${home.state}.restore`, 'new');
    folder(`${home.blocks}.restore`, 'new');
    finishRestore(home);
    expect(readdirSync(home.home)).toEqual([]);
  });

  it.each([
    ['before the first folder was put in place', [], ['state', 'blocks']],
    ['between the folders', ['state'], ['blocks']],
    ['after both, with the marker still there', ['state', 'blocks'], []],
  ])('%s: it is completed', (_name, there, waiting) => {
    for (const name of there) folder(join(home.home, name), 'new');
    for (const name of waiting) folder(join(home.home, `${name}.restore`), 'new');
    marker();
    finishRestore(home);
    expect(readdirSync(home.home).sort()).toEqual(['blocks', 'state']);
    expect([wordIn(home.state), wordIn(home.blocks)]).toEqual(['new', 'new']);
  });

  it.each([
    ['one folder is neither here nor there', ['state'], []],
    ['one is in both places', ['state', 'blocks'], ['state']],
  ])('%s: RESTORE_BROKEN, in words that say what to remove, and nothing is touched', (_name, there, waiting) => {
    for (const name of there) folder(join(home.home, name), 'old');
    for (const name of waiting) folder(join(home.home, `${name}.restore`), 'new');
    marker();
    const before = readdirSync(home.home);
    expect(() => finishRestore(home)).toThrow(
      expect.objectContaining({
        code: 'RESTORE_BROKEN',
        message: expect.stringContaining('remove state, blocks, RESTORE'),
      }),
    );
    expect(readdirSync(home.home)).toEqual(before);
  });
});

describe('restoreSnapshot', () => {
  const hash = `0x${'77'.repeat(32)}` as Hash;
  const manifest: SnapshotManifest = {
    format: 1,
    height: 9 as Height,
    blockHash: hash,
    stateRoot: hash,
    ordersRoot: hash,
    chunkHashes: [hash],
  };
  const genesis = { clob: {}, actions: 'open' } as unknown as Genesis;

  it('a home that has state: RESTORE_REFUSED, and it keeps it', async () => {
    folder(home.state, 'old');
    await expect(restoreSnapshot({ home, genesis }, manifest, [])).rejects.toMatchObject({ code: 'RESTORE_REFUSED' });
    expect(wordIn(home.state)).toBe('old');
  });

  it('a chunk that is not the one of the manifest: refused, and nothing is left', async () => {
    const restoring = restoreSnapshot({ home, genesis }, manifest, [Uint8Array.of(1)]);
    await expect(restoring).rejects.toMatchObject({ code: 'CHAIN_SNAPSHOT_REFUSED' });
    expect(readdirSync(home.home)).toEqual([]);
    expect(existsSync(home.state)).toBe(false);
  });
});
