import { hashesBefore, openSnapshotSource, readLastApplied, snapshotHeightMin } from '@prime/chain';
import type { SnapshotManifest } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import type { Height } from '@prime/primitives';
import { lockDataDir, checkDatabaseFiles, openBlockStore, openSnapshotStore, openStateDatabase } from '@prime/storage';
import { NodeError } from './errors.ts';

/**
 * Takes a snapshot of a node that does not run.
 *
 * @throws StorageError `DATA_DIR_LOCKED`, `SNAPSHOT_WRITE_FAILED`; NodeError `SNAPSHOT_TOO_EARLY`
 */
export async function createSnapshot(home: HomePaths): Promise<SnapshotManifest> {
  const lock = await lockDataDir(home.lock, home.systemLock);
  try {
    for (const folder of [home.blocks, home.state]) checkDatabaseFiles(folder);
    const database = await openStateDatabase(home.state);
    const blocks = await openBlockStore(home.blocks, { readonly: true });
    try {
      const height = readLastApplied(database) ?? (0 as Height);
      if (height < snapshotHeightMin || blocks.get(Math.max(1, height - hashesBefore) as Height) === null)
        throw new NodeError(
          `the node is at height ${height}: there is a snapshot from height ${snapshotHeightMin} on, where the ${hashesBefore} blocks before it are stored`,
          {
            code: 'SNAPSHOT_TOO_EARLY',
            height,
          },
        );
      const source = openSnapshotSource(database, blocks, height);
      await openSnapshotStore(home.snapshots).write(height, source.chunks(), () => source.manifest());
      return source.manifest();
    } finally {
      await Promise.all([database.close(), blocks.close()]);
    }
  } finally {
    lock.release();
  }
}
