import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { homePaths } from '@prime/config';
import { createPrng, type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { openWal } from '@prime/storage';
import { damageFiles, hasLoggedHeight } from './damage.ts';

const genesisHash = `0x${'ab'.repeat(32)}` as Hash;
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'prime-damage-'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('a log that is to be damaged', () => {
  it('has nothing to damage until a height is begun, which shows while the validator has it open', () => {
    const wal = openWal(homePaths(home).wal, { genesisHash });
    expect(hasLoggedHeight(home)).toBe(false);
    wal.beginHeight(7 as Height);
    wal.append(utf8ToBytes('an input'));
    wal.sync();
    expect(hasLoggedHeight(home)).toBe(true);
    wal.close();
  });

  it.each(['wal', 'wal_tail'] as const)('is another one afterwards (%s)', (what) => {
    const wal = openWal(homePaths(home).wal, { genesisHash });
    wal.beginHeight(7 as Height);
    wal.append(new Uint8Array(500).fill(1));
    wal.append(utf8ToBytes('the last input'));
    wal.sync();
    wal.close();
    expect(damageFiles(home, what, createPrng(3))).toMatch(/wal\.\d/);
    const mended = (): unknown => {
      const opened = openWal(homePaths(home).wal, { genesisHash });
      const replayed = opened.replay();
      opened.close();
      return replayed === null ? null : [...replayed.entries].length;
    };
    if (what === 'wal') expect(mended).toThrow(expect.objectContaining({ code: 'WAL_CORRUPT' }));
    else expect(mended()).not.toBe(2);
  });
});
