import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { orLate } from '../promises.ts';

/** Not measured again before, ms. */
const pauseMs = 5_000;
/** Nor before so many times what it took last: databases wait for the same few threads that look at files. */
const pauseShare = 10;
/** Who asks waits so long for a measure that is under way, ms. */
const waitMs = 1_000;
/** After that the measure before counts, for so long beyond its time, ms. */
const overdueMs = 60_000;

/** The folder that is measured. */
export interface HomeBytesOptions {
  readonly folder: string;
  /** All else is for tests. @returns ms from any point on */
  readonly nowMs?: () => number;
  /** Never rejects. */
  readonly measure?: (folder: string) => Promise<number | null>;
  readonly waitMs?: number;
}

/**
 * What a home takes on its disk, measured when somebody asks and not meanwhile.
 *
 * @returns asks: the sum of the sizes of all files, bytes; null where there is no measure that is new enough, or the system does not tell
 */
export function createHomeBytes({
  folder,
  nowMs = () => performance.now(),
  measure = folderBytes,
  waitMs: patienceMs = waitMs,
}: HomeBytesOptions): () => Promise<number | null> {
  let newest: { readonly bytes: number | null; readonly untilMs: number } | null = null;
  let underWay: Promise<void> | null = null;
  const begin = async (): Promise<void> => {
    const begunMs = nowMs();
    const bytes = await measure(folder);
    const endMs = nowMs();
    newest = { bytes, untilMs: endMs + Math.max(pauseMs, pauseShare * (endMs - begunMs)) };
    underWay = null;
  };
  const usable = (lateMs: number): boolean => newest !== null && nowMs() < newest.untilMs + lateMs;
  return async () => {
    if (!usable(0)) {
      underWay ??= begin();
      await orLate(underWay, patienceMs, () => undefined);
    }
    return usable(overdueMs) ? newest!.bytes : null;
  };
}

/**
 * Sizes of all files below a folder, bytes; links count as themselves. One file after the other, and never a whole folder at once: 100 000 files hold up
 * nobody. Files that vanish meanwhile count for nothing.
 *
 * @returns null where the folder is not there or may not be read
 */
export async function folderBytes(folder: string): Promise<number | null> {
  let bytes = 0;
  const folders = [folder];
  try {
    for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
      const entries = await unlessGone(opendir(at));
      if (entries === null && at === folder) return null;
      for await (const entry of entries ?? []) {
        const path = join(at, entry.name);
        if (entry.isDirectory()) folders.push(path);
        else bytes += (await unlessGone(lstat(path)))?.size ?? 0;
      }
    }
    return bytes;
  } catch {
    return null;
  }
}

/** @returns null for what is not there any more */
const unlessGone = <T>(work: Promise<T>): Promise<T | null> =>
  work.catch((error: unknown) => {
    if ((error as { readonly code?: unknown }).code === 'ENOENT') return null;
    throw error;
  });
