import { hashesBefore, openSnapshotSource, readLastApplied, snapshotHeightMin } from '@prime/chain';
import type { SnapshotManifest } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import type { BlockStore } from '@prime/engine';
import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { checkDatabaseFiles, openBlockStore, openSnapshotStore, openStateDatabase } from '@prime/storage';
import { NodeError } from '../errors.ts';
import { whileLocked } from '../home/homeLock.ts';

/** Where a snapshot goes, and where its state and blocks are. */
interface SnapshotPlace {
  readonly database: StateDatabase;
  readonly blocks: Pick<BlockStore, 'get' | 'validators'>;
  /** Folder of snapshots. */
  readonly folder: string;
}

/**
 * Begins a snapshot of the newest committed state. What it holds is fixed by this call: no block may be written during it.
 *
 * @returns what writes it, and says what it is
 * @throws NodeError `SNAPSHOT_TOO_EARLY`
 */
export function beginSnapshot({ database, blocks, folder }: SnapshotPlace): () => Promise<SnapshotManifest> {
  const height = readLastApplied(database) ?? (0 as Height);
  if (height < snapshotHeightMin || blocks.get(Math.max(1, height - hashesBefore) as Height) === null)
    throw new NodeError(
      `the node is at height ${height}: there is a snapshot from height ${snapshotHeightMin} on, where the ${hashesBefore} blocks before it are stored`,
      { code: 'SNAPSHOT_TOO_EARLY', height },
    );
  const source = openSnapshotSource(database, blocks, height);
  return async () => {
    await openSnapshotStore(folder).write(height, source.chunks(), () => source.manifest());
    return source.manifest();
  };
}

/**
 * Takes a snapshot of a node that does not run.
 *
 * @param folder of snapshots; that of the home by default
 * @throws StorageError `DATA_DIR_LOCKED`, `SNAPSHOT_WRITE_FAILED`; NodeError `SNAPSHOT_TOO_EARLY`
 */
export function createSnapshot(home: HomePaths, folder = home.snapshots): Promise<SnapshotManifest> {
  return whileLocked(home, async () => {
    for (const folder of [home.blocks, home.state]) checkDatabaseFiles(folder);
    const database = await openStateDatabase(home.state);
    const blocks = await openBlockStore(home.blocks, { readonly: true });
    try {
      return await beginSnapshot({ database, blocks, folder })();
    } finally {
      await Promise.all([database.close(), blocks.close()]);
    }
  });
}
