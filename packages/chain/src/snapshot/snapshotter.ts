import type { Block, CommitCertificate, SnapshotManifest } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { hashesBefore, openSnapshotSource, type SnapshotBlocks } from './exportSnapshot.ts';

/** Where snapshots are kept. */
export interface SnapshotSink {
  /** Keeps it once it is whole. One of the same height is replaced. @throws what the chunks throw */
  write(height: Height, chunks: AsyncIterable<Uint8Array>, manifest: () => SnapshotManifest): Promise<void>;
  /** Deletes all but the newest ones. */
  prune(keep: number): void;
}

/** How often snapshots are taken, where they go, and whom it is told. */
export interface SnapshotterOptions {
  readonly database: StateDatabase;
  readonly blocks: SnapshotBlocks;
  readonly store: SnapshotSink;
  /** Blocks between two snapshots; 0 is never. */
  readonly intervalBlocks: number;
  /** Newest snapshots that are kept. */
  readonly keep: number;
  /** Default: as long as the format says. */
  readonly chunkBytes?: number;
  readonly onTaken: (height: Height) => void;
  readonly onFailed: (height: Height, error: unknown) => void;
}

/** Takes snapshots while blocks go on. */
export interface Snapshotter {
  /**
   * A block is committed, and the next one is not begun before this returns.
   *
   * @param behind blocks after it that are known to be missing here: who catches up takes no snapshots. Its peers offer theirs of the same
   *   heights, and a snapshot reads the whole state, which takes longer than many blocks
   */
  onCommit(block: Block, behind: number): void;
  /** No more blocks come: waits for the one that is being written. */
  settled(): Promise<void>;
}

/** Height from which on there is a snapshot: the validators of block 1 are in no store. */
export const snapshotHeightMin = 2;

/** Takes one snapshot at a time: a height that comes meanwhile is left out. */
export function createSnapshotter(options: SnapshotterOptions): Snapshotter {
  const { database, blocks, store, intervalBlocks, keep } = options;
  let running: Promise<void> | null = null;
  let tellNext: (certificate: CommitCertificate | null) => void = () => undefined;
  return {
    onCommit({ header: { height }, lastCommit }, behind) {
      tellNext(lastCommit);
      if (intervalBlocks === 0 || height % intervalBlocks !== 0 || behind > 0) return;
      if (height < snapshotHeightMin || running !== null) return;
      // Soon after a restore the blocks before it are not here: there will be a later one.
      if (blocks.get(Math.max(1, height - hashesBefore) as Height) === null) return;
      const next = new Promise<CommitCertificate | null>((resolve) => {
        tellNext = resolve;
      });
      const source = openSnapshotSource(database, blocks, height, () => next, options.chunkBytes);
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
