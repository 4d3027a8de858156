import { type SnapshotSink } from '@prime/chain';
import { encodeSnapshotManifest, type SnapshotManifest, snapshotId } from '@prime/codec';
import type { KeptSnapshot, SnapshotShelf } from '@prime/engine';
import type { Height } from '@prime/primitives';

/** A snapshot as it lies on a disk. */
export interface SnapshotOnDisk {
  readonly manifest: SnapshotManifest;
  readonly chunks: readonly Uint8Array[];
}

/** Blocks between two snapshots of nodes that keep to the rules, and how many they keep. */
export const snapshotPace = { intervalBlocks: 4, keep: 2 } as const;
/** Those who lie have one of nearly every block, so that theirs are the newest. */
export const liarPace = { intervalBlocks: 1, keep: 4 } as const;
/** Far less than the format says: a state of a few kilobytes is in many chunks. */
export const snapshotChunkBytes = 4_096;

/** The folder of snapshots. A snapshot is in it as a whole or not at all, and no crash takes it. */
export class SnapshotFiles implements SnapshotShelf {
  readonly #files = new Map<number, { readonly kept: KeptSnapshot; readonly chunks: readonly Uint8Array[] }>();

  list(): readonly KeptSnapshot[] {
    return [...this.#files.values()].map(({ kept }) => kept).toSorted((a, b) => b.manifest.height - a.manifest.height);
  }

  find(height: Height): KeptSnapshot | null {
    return this.#files.get(height)?.kept ?? null;
  }

  chunk(height: Height, index: number): Uint8Array | null {
    return this.#files.get(height)?.chunks[index] ?? null;
  }

  put({ manifest, chunks }: SnapshotOnDisk): void {
    const kept = { id: snapshotId(manifest), manifest, encoded: encodeSnapshotManifest(manifest) };
    this.#files.set(manifest.height, { kept, chunks });
  }

  /**
   * For a process that takes snapshots.
   *
   * @param pause of the disk; never over once the process is gone
   * @param change what is kept in the place of what was taken
   */
  sink(pause: () => Promise<void>, change: (taken: SnapshotOnDisk) => Promise<SnapshotOnDisk>): SnapshotSink {
    return {
      write: async (_height, chunks, manifest) => {
        const parts: Uint8Array[] = [];
        for await (const chunk of chunks) {
          await pause();
          parts.push(chunk);
        }
        this.put(await change({ manifest: manifest(), chunks: parts }));
      },
      prune: (keep) => {
        for (const { manifest } of this.list().slice(keep)) this.#files.delete(manifest.height);
      },
    };
  }
}
