import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Height } from '@prime/primitives';
import { attempt } from './failures.ts';
import { walFileName, walFiles } from './wal.ts';
import { readContent, type WalContent } from './walScan.ts';

/** One height of the log. */
export interface WalDump {
  readonly path: string;
  readonly height: Height;
  /** Where its intact records end, bytes; what stands behind belongs to an older height, or was torn. */
  readonly end: number;
  readonly entries: Uint8Array[];
}

/**
 * The heights that the log holds, oldest first, each up to its first damaged record. Changes nothing, and looks at neither the
 * genesis nor the order of damage and marks: what can be read is shown.
 *
 * @throws StorageError `WAL_READ_FAILED`, also when there is no log
 */
export function dumpWal(dir: string): WalDump[] {
  const contents: (WalContent & { readonly path: string })[] = [];
  for (let index = 0; index < walFiles; index++) {
    const path = join(dir, walFileName(index));
    const content = readContent(attempt('WAL_READ_FAILED', path, () => readFileSync(path)));
    if (content !== null && content.header.generation > 0) contents.push({ ...content, path });
  }
  contents.sort((a, b) => a.header.generation - b.header.generation);
  return contents.map(({ path, header, entries, end }) => ({
    path,
    height: header.height,
    end,
    entries: [...entries],
  }));
}
