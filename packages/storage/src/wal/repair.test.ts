import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type Hash, type Height, utf8ToBytes } from '@prime/primitives';
import { inTemporaryFolder } from '../testing/temporaryFolder.ts';
import { openWal } from './open.ts';
import { repairWal } from './repair.ts';
import { walFileName } from './wal.ts';

const genesisHash = `0x${'ab'.repeat(32)}` as Hash;

/** A log with three durable batches, of which the second is damaged: what came after it proves that it was durable. */
function damagedLog(dir: string): void {
  const wal = openWal(dir, { genesisHash, fileBytes: 8192 });
  wal.beginHeight(1 as Height);
  for (const text of ['first', 'second', 'third']) {
    wal.append(utf8ToBytes(text));
    wal.sync();
  }
  wal.close();
  const path = join(dir, walFileName(1));
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('second')]! ^= 1;
  writeFileSync(path, bytes);
}

describe('repairing the log', () => {
  it('sets a damaged log aside, and the next start begins with an empty one', () =>
    inTemporaryFolder((folder) => {
      const dir = join(folder, 'wal');
      damagedLog(dir);
      expect(() => openWal(dir, { genesisHash })).toThrow(expect.objectContaining({ code: 'WAL_CORRUPT' }));
      const repaired = repairWal(dir, genesisHash);
      expect(repaired).toEqual({
        setAsideAs: `${dir}.damaged`,
        reason: expect.stringContaining('were made durable after it'),
      });
      expect(existsSync(join(repaired!.setAsideAs, walFileName(1)))).toBe(true);
      const wal = openWal(dir, { genesisHash });
      expect(wal.replay()).toBeNull();
      wal.close();
    }));

  it('keeps what was set aside before', () =>
    inTemporaryFolder((folder) => {
      const dir = join(folder, 'wal');
      damagedLog(dir);
      repairWal(dir, genesisHash);
      damagedLog(dir);
      expect(repairWal(dir, genesisHash)?.setAsideAs).toBe(`${dir}.damaged-2`);
    }));

  it('leaves a log alone that is not damaged, and one of another network', () =>
    inTemporaryFolder((folder) => {
      const dir = join(folder, 'wal');
      const wal = openWal(dir, { genesisHash });
      wal.beginHeight(1 as Height);
      wal.append(utf8ToBytes('kept'));
      wal.close();
      expect(repairWal(dir, genesisHash)).toBeNull();
      expect(() => repairWal(dir, `0x${'cd'.repeat(32)}` as Hash)).toThrow('another network');
      const again = openWal(dir, { genesisHash });
      expect(again.replay()?.entries).toHaveLength(1);
      again.close();
    }));
});
