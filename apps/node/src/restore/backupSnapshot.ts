import { rm } from 'node:fs/promises';
import type { SnapshotManifest } from '@prime/codec';
import { NodeError } from '../errors.ts';
import { orLate } from '../promises.ts';

/** How it stands with the snapshot for a backup. */
export interface BackupSnapshot {
  /** Height of its block; null while it is written. */
  readonly height: number | null;
}

/** Where the snapshot of a backup goes, and how it is taken while the node runs. */
export interface BackupSnapshotOptions {
  /** Folder of the one snapshot; what an earlier backup left there goes. */
  readonly folder: string;
  /** Begins the snapshot between two blocks. @returns what writes it */
  readonly begin: () => Promise<() => Promise<SnapshotManifest>>;
}

/** How long a question for it waits, ms: whoever asks asks again, so that no request is open for as long as a large state takes. */
const waitMs = 5_000;

/**
 * A snapshot of a running node for a backup, beside those that it takes for its peers, which may be pruned at any moment.
 *
 * @returns begins one, or asks after the one that was begun. After an answer with a height the next question begins anew
 */
export function createBackupSnapshot({ folder, begin }: BackupSnapshotOptions): () => Promise<BackupSnapshot> {
  let running: Promise<SnapshotManifest> | null = null;
  const take = async (): Promise<SnapshotManifest> => {
    await rm(folder, { recursive: true, force: true });
    const write = await begin();
    return write();
  };
  return async () => {
    running ??= take();
    // Whoever asks hears of it, now or the next time.
    running.catch(() => undefined);
    try {
      const manifest = await orLate(running, waitMs, () => null);
      if (manifest === null) return { height: null };
      running = null;
      return { height: manifest.height };
    } catch (error) {
      running = null;
      if (error instanceof NodeError) throw error;
      throw new NodeError(`the snapshot was not written: ${(error as Error).message}`, {
        code: 'BACKUP_SNAPSHOT_FAILED',
      });
    }
  };
}
