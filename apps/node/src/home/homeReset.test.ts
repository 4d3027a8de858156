import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths, type HomePaths } from '@prime/config';
import { lockDataDir } from '@prime/storage';
import { resetHome } from './homeReset.ts';

let home: HomePaths;
beforeEach(() => {
  home = homePaths(mkdtempSync(join(tmpdir(), 'prime-reset-')));
});
afterEach(() => rmSync(home.home, { recursive: true, force: true }));

const kept = ['bans.json', 'config.toml', 'genesis.json', 'keys', 'sign-state.bin', 'state.damaged', 'validator.json'];
const folder = (name: string): void => {
  mkdirSync(join(home.home, name));
  writeFileSync(join(home.home, name, 'file'), 'x');
};
function fill(): void {
  for (const name of ['state', 'blocks', 'wal', 'snapshots', 'keys', 'state.damaged']) folder(name);
  for (const name of ['evidence.bin', ...kept.filter((each) => each.includes('.') && each !== 'state.damaged')])
    writeFileSync(join(home.home, name), 'x');
}
const there = (): string[] => readdirSync(home.home).toSorted();

describe('a home that is reset', () => {
  it('keeps keys, settings, bans, the sign state and what was set aside, and nothing of the chain', async () => {
    fill();
    expect(await resetHome(home)).toEqual(['state', 'blocks', 'wal', 'evidence', 'snapshots']);
    expect(there()).toEqual(kept);
    expect(await resetHome(home)).toEqual([]);
  });

  it('is free of a restore and of a reset that were cut off', async () => {
    fill();
    for (const name of ['state.restore', 'blocks.restore', 'state.reset', 'wal.reset']) folder(name);
    writeFileSync(join(home.home, 'RESTORE'), '');
    await resetHome(home);
    expect(there()).toEqual(kept);
  });

  it('is left alone while a node runs on it', async () => {
    fill();
    const lock = await lockDataDir(home.lock, home.systemLock);
    try {
      await expect(resetHome(home)).rejects.toMatchObject({ code: 'DATA_DIR_LOCKED' });
      expect(existsSync(join(home.state, 'file'))).toBe(true);
    } finally {
      lock.release();
    }
  });
});
