import { describe, expect, it } from '@jest/globals';
import type { SnapshotManifest } from '@prime/codec';
import { createBackupSnapshot } from './backupSnapshot.ts';
import { NodeError } from '../errors.ts';

const manifest = { height: 7 } as SnapshotManifest;
const folder = '/nowhere/at/all';

describe('a snapshot for a backup', () => {
  it('is begun once for all who ask while it is written, and anew after it was told', async () => {
    let begun = 0;
    let end = (): void => undefined;
    const take = createBackupSnapshot({
      folder,
      begin: async () => {
        begun += 1;
        return () => new Promise((resolve) => (end = () => resolve(manifest)));
      },
    });
    const asked = [take(), take()];
    await new Promise((resolve) => setImmediate(resolve));
    while (begun === 0) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    expect(await Promise.all(asked)).toEqual([{ height: 7 }, { height: 7 }]);
    expect(begun).toBe(1);
    const again = take();
    while (begun === 1) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    end();
    await again;
    expect(begun).toBe(2);
  });

  it('a refusal stays what it is, a failure is BACKUP_SNAPSHOT_FAILED, and the next question begins anew', async () => {
    const failures = [new NodeError('too early', { code: 'SNAPSHOT_TOO_EARLY', height: 1 }), new Error('disk full')];
    const take = createBackupSnapshot({
      folder,
      begin: async () => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return async () => manifest;
      },
    });
    await expect(take()).rejects.toMatchObject({ code: 'SNAPSHOT_TOO_EARLY' });
    await expect(take()).rejects.toMatchObject({
      code: 'BACKUP_SNAPSHOT_FAILED',
      message: expect.stringContaining('disk full'),
    });
    expect(await take()).toEqual({ height: 7 });
  });
});
