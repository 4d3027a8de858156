import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { decodeSnapshotManifest, encodeSnapshotManifest, type SnapshotManifest, snapshotId } from '@prime/codec';
import type { KeptSnapshot, SnapshotShelf } from '@prime/engine';
import { type Height, isPrimeError } from '@prime/primitives';
import { messageOf, StorageError, systemCodeOf } from '../errors.ts';
import { syncFolder } from './files.ts';

/**
 * Snapshots of the state as files: a folder for each, named by its height, with `manifest` and `chunk-00000` … Folders that are being
 * written end in `.tmp`; a snapshot is there as a whole or not at all.
 */
export interface SnapshotStore extends SnapshotShelf {
  /** What is there, the newest first; what can not be read is left out. */
  list(): readonly KeptSnapshot[];
  /** Bytes of a chunk; null when it is not there (any more). */
  chunk(height: Height, index: number): Uint8Array | null;
  /**
   * Writes a snapshot: chunks, fsync of each, manifest, rename, fsync of the folder. One that is there already is replaced.
   *
   * @throws StorageError `SNAPSHOT_WRITE_FAILED`; what the chunks throw
   */
  write(height: Height, chunks: AsyncIterable<Uint8Array>, manifest: () => SnapshotManifest): Promise<void>;
  /** Deletes all but the newest ones, and what was left unfinished. */
  prune(keep: number): void;
}

const manifestName = 'manifest';
const chunkName = (index: number): string => `chunk-${index.toString().padStart(5, '0')}`;
const unfinished = '.tmp';

/**
 * Opens a folder of snapshots, which need not be there yet. Manifests that were read stay in memory until their files
 * change.
 */
export function openSnapshotStore(dir: string): SnapshotStore {
  const folderOf = (height: number): string => join(dir, String(height));
  const heights = (): number[] =>
    entriesOf(dir)
      .filter((name) => /^\d{1,15}$/.test(name))
      .map(Number)
      .sort((a, b) => b - a);
  const known = new Map<number, Known>();
  const find = (height: number): KeptSnapshot | null => {
    const path = join(folderOf(height), manifestName);
    try {
      const stamp = stampOf(path);
      const before = known.get(height);
      if (before?.stamp === stamp) return before.kept;
      known.set(height, { stamp, kept: readKept(path) });
    } catch (error) {
      // Deleted meanwhile, or damaged: nobody is offered it.
      if (!isPrimeError(error) && systemCodeOf(error) === 'UNKNOWN') throw error;
      known.delete(height);
    }
    return known.get(height)?.kept ?? null;
  };
  return {
    list() {
      const there = heights();
      for (const height of known.keys()) if (!there.includes(height)) known.delete(height);
      return there.flatMap((height) => find(height) ?? []);
    },
    find,
    chunk(height, index) {
      try {
        return new Uint8Array(readFileSync(join(folderOf(height), chunkName(index))));
      } catch {
        return null;
      }
    },
    async write(height, chunks, manifest) {
      const temporary = `${folderOf(height)}${unfinished}`;
      try {
        await rm(temporary, { recursive: true, force: true });
        await mkdir(temporary, { recursive: true });
        let index = 0;
        for await (const chunk of chunks) await writeSynced(join(temporary, chunkName(index++)), chunk);
        await writeSynced(join(temporary, manifestName), encodeSnapshotManifest(manifest()));
        syncFolder(temporary);
        await rm(folderOf(height), { recursive: true, force: true });
        await rename(temporary, folderOf(height));
        syncFolder(dir);
      } catch (cause) {
        await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
        if (isPrimeError(cause)) throw cause;
        throw new StorageError(
          `can not write the snapshot ${temporary}: ${messageOf(cause)}`,
          { code: 'SNAPSHOT_WRITE_FAILED', path: temporary, systemCode: systemCodeOf(cause) },
          { cause },
        );
      }
    },
    prune(keep) {
      for (const name of entriesOf(dir).filter((entry) => entry.endsWith(unfinished)))
        rmSync(join(dir, name), { recursive: true, force: true });
      for (const height of heights().slice(keep)) {
        // Renamed first: a snapshot is never offered in part.
        const going = `${folderOf(height)}${unfinished}`;
        renameSync(folderOf(height), going);
        rmSync(going, { recursive: true, force: true });
      }
    },
  };
}

interface Known {
  readonly stamp: string;
  readonly kept: KeptSnapshot;
}

/** Changes when the file is replaced or written to. */
function stampOf(path: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(path, { bigint: true });
  return [ino, size, mtimeNs, ctimeNs].join('/');
}

function readKept(path: string): KeptSnapshot {
  const encoded = new Uint8Array(readFileSync(path));
  const manifest = decodeSnapshotManifest(encoded);
  return { id: snapshotId(manifest), manifest, encoded };
}

function entriesOf(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'w', 0o644);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}
