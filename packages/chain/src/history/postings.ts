import { decodePostings, heightOfKey, type Posting, postingsKey, type TermKey } from '@prime/codec';
import type { Scan, ScanDirection, StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { storedRecords } from './blockRecords.ts';
import { readLastApplied, readOldest } from './history.ts';
import { placesIn } from './terms.ts';
import { readIndexed, windowLimits } from './windows.ts';

/**
 * Finds terms in the blocks of the past: in the postings of windows that are written, and in the records of the blocks since.
 *
 * Lists are joined by leapfrog: the list that is furthest ahead names the height that all others jump to. What is read is bounded
 * by the rarest term, whatever the others and the range are; where lists are dense, they are read in growing portions instead.
 */

/** A list in progress; stands before its first posting until the first {@link advance}. */
interface Cursor {
  /** The posting that it stands at; null behind the last one. */
  readonly at: Posting | null;
  /** Goes to the first posting at or above a height; never goes back. */
  advance(height: number): Promise<void>;
  close(): Promise<void>;
}

type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** Heights, both ends included. */
export interface Range {
  readonly fromHeight: number;
  /** Included. */
  readonly toHeight: number;
}

/** What a search has to look through. */
interface Parts {
  /** Heights in windows that are written. */
  readonly written: Range;
  /** First block of no window that is written. */
  readonly indexed: number;
  /** Heights of blocks that are looked into. */
  readonly open: Range;
}

/** As of one moment: windows are written meanwhile, but the blocks in them stay. */
function partsOf(database: Scans, { fromHeight, toHeight }: Range): Parts {
  const indexed = readIndexed(database);
  const first = Math.max(indexed, readOldest(database, 'oldestBlock'));
  return {
    written: { fromHeight, toHeight: Math.min(toHeight, indexed - 1) },
    indexed,
    open: { fromHeight: Math.max(fromHeight, first), toHeight: Math.min(toHeight, readLastApplied(database) ?? 0) },
  };
}

/** Entries of a term that may reach into the range. An entry stands at the last block of its window, which may be beyond. */
function scanOf(database: Scans, key: TermKey, { written, indexed }: Parts, direction: ScanDirection): Scan {
  const { fromHeight, toHeight } = written;
  const before = Math.max(fromHeight, Math.min(toHeight + windowLimits.blocks, indexed));
  return database.scan(postingsKey(key, fromHeight), postingsKey(key, before), direction);
}

/** Entries of a first read and of the largest one: a rare term should cost one small read, a dense one few large ones. */
const portionMin = 2;
const portionMax = 128;

type Entry = readonly [key: Uint8Array, value: Uint8Array];

const postingsOf = ([key, value]: Entry): Posting[] => decodePostings(heightOfKey(key), value);

class TermCursor implements Cursor {
  at: Posting | null = null;
  readonly #scan: Scan;
  readonly #key: TermKey;
  readonly #range: Range;
  #entries: readonly Entry[] = [];
  #nextEntry = 0;
  /** Of one entry. */
  #postings: readonly Posting[] = [];
  #portion = portionMin;

  constructor(database: Scans, key: TermKey, parts: Parts) {
    this.#key = key;
    this.#range = parts.written;
    this.#scan = scanOf(database, key, parts, 'up');
  }

  async advance(height: number): Promise<void> {
    const from = Math.max(height, this.#range.fromHeight);
    for (;;) {
      const found = this.#postings.find((posting) => posting.height >= from);
      if (found !== undefined || !(await this.#nextPostings(from))) {
        this.at = found !== undefined && found.height <= this.#range.toHeight ? found : null;
        return;
      }
    }
  }

  /** Goes to the next entry whose window ends at a height or above. @returns false at the end of the list */
  async #nextPostings(height: number): Promise<boolean> {
    for (;;) {
      for (; this.#nextEntry < this.#entries.length; this.#nextEntry++) {
        const entry = this.#entries[this.#nextEntry]!;
        if (heightOfKey(entry[0]) < height) continue;
        this.#postings = postingsOf(entry);
        this.#nextEntry++;
        return true;
      }
      const last = this.#entries.at(-1);
      if (last !== undefined && height > heightOfKey(last[0]) + 1) {
        this.#scan.seek(postingsKey(this.#key, height));
        this.#portion = portionMin;
      }
      this.#entries = await this.#scan.next(this.#portion);
      this.#nextEntry = 0;
      this.#portion = Math.min(this.#portion * 2, portionMax);
      if (this.#entries.length === 0) return false;
    }
  }

  close(): Promise<void> {
    return this.#scan.close();
  }
}

/** Heights of any of several lists. */
class UnionCursor implements Cursor {
  at: Posting | null = null;
  readonly #parts: readonly Cursor[];
  #started = false;

  constructor(parts: readonly Cursor[]) {
    this.#parts = parts;
  }

  async advance(height: number): Promise<void> {
    const behind = this.#started ? this.#parts.filter(({ at }) => at !== null && at.height < height) : this.#parts;
    this.#started = true;
    await Promise.all(behind.map((part) => part.advance(height)));
    const lowest = Math.min(...this.#parts.map(({ at }) => at?.height ?? Number.POSITIVE_INFINITY)) as Height;
    if (!Number.isFinite(lowest)) {
      this.at = null;
      return;
    }
    const positions = new Set(this.#parts.flatMap(({ at }) => (at?.height === lowest ? at.positions : [])));
    this.at = { height: lowest, positions: [...positions].sort((a, b) => a - b) };
  }

  async close(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.close()));
  }
}

/**
 * Places at which, of every group of terms, at least one occurs; by height, ascending.
 *
 * @param groups at least one, none empty
 */
export async function* joinPostings(
  database: Scans,
  groups: readonly (readonly TermKey[])[],
  range: Range,
): AsyncGenerator<Posting, void, undefined> {
  const parts = partsOf(database, range);
  yield* joinWritten(database, groups, parts);
  for (let height = parts.open.fromHeight; height <= parts.open.toHeight; height++) {
    const positions = placesIn(storedRecords(database, height as Height), groups);
    if (positions.length > 0) yield { height: height as Height, positions };
  }
}

async function* joinWritten(
  database: Scans,
  groups: readonly (readonly TermKey[])[],
  parts: Parts,
): AsyncGenerator<Posting, void, undefined> {
  const cursors = groups.map((terms) => new UnionCursor(terms.map((key) => new TermCursor(database, key, parts))));
  try {
    let height = parts.written.fromHeight;
    for (;;) {
      const target = height;
      await Promise.all(cursors.map((cursor) => cursor.advance(target)));
      const found = cursors.map(({ at }) => at);
      if (!found.every((posting) => posting !== null)) return;
      const furthest = Math.max(...found.map((posting) => posting.height)) as Height;
      height = furthest;
      if (found.some((posting) => posting.height < furthest)) continue;
      const positions = common(found.map((posting) => posting.positions));
      if (positions.length > 0) yield { height: furthest, positions };
      height = furthest + 1;
    }
  } finally {
    await Promise.all(cursors.map((cursor) => cursor.close()));
  }
}

/** Places of a term, by height, descending. */
export async function* postingsDown(
  database: Scans,
  key: TermKey,
  range: Range,
): AsyncGenerator<Posting, void, undefined> {
  const parts = partsOf(database, range);
  // Before blocks are looked into: none of its windows is deleted from it.
  const scan = scanOf(database, key, parts, 'down');
  try {
    for (let height = parts.open.toHeight; height >= parts.open.fromHeight; height--) {
      const positions = placesIn(storedRecords(database, height as Height), [[key]]);
      if (positions.length > 0) yield { height: height as Height, positions };
    }
    const { fromHeight, toHeight } = parts.written;
    for (let portion = portionMin; ; portion = Math.min(portion * 2, portionMax)) {
      const entries = await scan.next(portion);
      if (entries.length === 0) return;
      for (const entry of entries)
        for (const posting of postingsOf(entry).reverse())
          if (posting.height >= fromHeight && posting.height <= toHeight) yield posting;
    }
  } finally {
    await scan.close();
  }
}

/** What all lists have. */
function common(lists: readonly (readonly number[])[]): readonly number[] {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return shortest!.filter((position) => sets.every((set) => set.has(position)));
}
