import { hashesBefore, openSnapshotSource, readLastApplied, type SnapshotBlocks } from '@prime/chain';
import type { Block, CommitCertificate, SnapshotManifest } from '@prime/codec';
import type { HomePaths } from '@prime/config';
import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import {
  acquireDataDirLock,
  checkDatabaseLogs,
  openBlockStore,
  openSnapshotStore,
  openStateDatabase,
  type SnapshotStore,
} from '@prime/storage';
import { NodeError } from './errors.ts';

export interface SnapshotterOptions {
  readonly database: StateDatabase;
  readonly blocks: SnapshotBlocks;
  readonly store: SnapshotStore;
  /** Blocks between two snapshots; 0 is never. */
  readonly intervalBlocks: number;
  /** Newest snapshots that are kept. */
  readonly keep: number;
  readonly onTaken: (height: Height) => void;
  readonly onFailed: (height: Height, error: unknown) => void;
}

/** Takes snapshots while blocks go on. */
export interface Snapshotter {
  /** A block is committed, and the next one is not begun before this returns. */
  onCommit(block: Block): void;
  /** No more blocks come: waits for the one that is being written. */
  settled(): Promise<void>;
}

/** Height from which on there is a snapshot: the validators of block 1 are in no store. */
const heightMin = 2;

export function createSnapshotter(options: SnapshotterOptions): Snapshotter {
  const { database, blocks, store, intervalBlocks, keep } = options;
  let running: Promise<void> | null = null;
  let tellNext: (certificate: CommitCertificate | null) => void = () => undefined;
  return {
    onCommit({ header: { height }, lastCommit }) {
      tellNext(lastCommit);
      if (intervalBlocks === 0 || height % intervalBlocks !== 0 || height < heightMin || running !== null) return;
      // Soon after a restore the blocks before it are not here: there will be a later one.
      if (blocks.get(Math.max(1, height - hashesBefore) as Height) === null) return;
      const next = new Promise<CommitCertificate | null>((resolve) => {
        tellNext = resolve;
      });
      const source = openSnapshotSource(database, blocks, height, () => next);
      running = store
        .write(height, source.chunks(), () => source.manifest())
        .then(() => {
          store.prune(keep);
          options.onTaken(height);
        })
        .catch((error: unknown) => options.onFailed(height, error))
        .finally(() => {
          running = null;
        });
    },
    settled: async () => {
      tellNext(null);
      await running;
    },
  };
}

/**
 * Takes a snapshot of a node that does not run.
 *
 * @throws StorageError `DATA_DIR_LOCKED`, `SNAPSHOT_WRITE_FAILED`; NodeError `SNAPSHOT_TOO_EARLY`
 */
export async function createSnapshot(home: HomePaths): Promise<SnapshotManifest> {
  const lock = acquireDataDirLock(home.lock);
  try {
    for (const folder of [home.blocks, home.state]) checkDatabaseLogs(folder);
    const database = await openStateDatabase(home.state);
    const blocks = await openBlockStore(home.blocks, { readonly: true });
    try {
      const height = readLastApplied(database) ?? (0 as Height);
      if (height < heightMin || blocks.get(Math.max(1, height - hashesBefore) as Height) === null)
        throw new NodeError(
          `the node is at height ${height}: there is a snapshot from height ${heightMin} on, where the ${hashesBefore} blocks before it are stored`,
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
