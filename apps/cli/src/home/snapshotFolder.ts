import { resolve } from 'node:path';
import type { SnapshotManifest } from '@prime/codec';
import { openSnapshotStore } from '@prime/storage';
import { CliError, parseWholeNumber } from '../errors.ts';

/** A snapshot in a folder. */
export interface FoundSnapshot {
  readonly manifest: SnapshotManifest;
  /** In order. @throws CliError `CLI_NO_SNAPSHOT` for one that can not be read */
  chunks(): Generator<Uint8Array, void, undefined>;
}

/**
 * @param from folder with snapshots
 * @param height as the option `--height` has it; undefined is the newest
 * @throws CliError `CLI_USAGE`, `CLI_NO_SNAPSHOT`
 */
export function findSnapshot(from: string, height: string | undefined): FoundSnapshot {
  const store = openSnapshotStore(resolve(from));
  const wanted = height === undefined ? null : parseWholeNumber(height, '--height', 1, Number.MAX_SAFE_INTEGER);
  const found = store.list().find(({ manifest: { height: at } }) => wanted === null || at === wanted);
  if (found === undefined)
    throw missing(`${from} holds no snapshot${wanted === null ? '' : ` of height ${wanted}`}`, from);
  const { manifest } = found;
  return {
    manifest,
    *chunks() {
      for (let index = 0; index < manifest.chunkHashes.length; index++) {
        const chunk = store.chunk(manifest.height, index);
        if (chunk === null) throw missing(`chunk ${index} of snapshot ${manifest.height} can not be read`, from);
        yield chunk;
      }
    },
  };
}

const missing = (message: string, path: string): CliError => new CliError(message, { code: 'CLI_NO_SNAPSHOT', path });
