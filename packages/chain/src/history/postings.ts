import { decodePositions, heightOfKey, termHeightKey } from '@prime/codec';
import type { Scan, StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';

/**
 * Walks through posting lists: the heights at which a term occurs, ascending, each with the term's places in the block.
 *
 * Lists are joined by leapfrog: the list that is furthest ahead names the height that all others jump to. What is read is bounded
 * by the rarest term, whatever the others and the range are; where lists are dense, they are read in growing portions instead.
 */
export interface Posting {
  readonly height: Height;
  /** Ascending. */
  readonly positions: readonly number[];
}

/** A list in progress; stands before its first posting until the first {@link advance}. */
interface Cursor {
  /** The posting that it stands at; null behind the last one. */
  readonly at: Posting | null;
  /** Goes to the first posting at or above a height; never goes back. */
  advance(height: number): Promise<void>;
  close(): Promise<void>;
}

type Scans = Pick<StateDatabase, 'scan'>;

/** A list in the database: what keys it begins with, one prefix byte and the term. */
export interface TermKey {
  readonly prefix: number;
  readonly term: Uint8Array;
}

/** Heights, both ends included. */
export interface Range {
  readonly fromHeight: number;
  /** Included. */
  readonly toHeight: number;
}

/** Entries of a first read and of the largest one: a rare term should cost one small read, a dense one few large ones. */
const portionMin = 8;
const portionMax = 1024;

class TermCursor implements Cursor {
  at: Posting | null = null;
  readonly #scan: Scan;
  readonly #key: TermKey;
  #buffer: readonly (readonly [key: Uint8Array, value: Uint8Array])[] = [];
  #next = 0;
  #portion = portionMin;

  constructor(database: Scans, key: TermKey, { fromHeight, toHeight }: Range) {
    this.#key = key;
    const { prefix, term } = key;
    this.#scan = database.scan(termHeightKey(prefix, term, fromHeight), termHeightKey(prefix, term, toHeight + 1));
  }

  async advance(height: number): Promise<void> {
    for (;;) {
      for (; this.#next < this.#buffer.length; this.#next++) {
        const [key, value] = this.#buffer[this.#next]!;
        const found = heightOfKey(key);
        if (found < height) continue;
        this.at = { height: found, positions: decodePositions(value) };
        return;
      }
      const last = this.#buffer.at(-1);
      if (last !== undefined && height > heightOfKey(last[0]) + 1) {
        this.#scan.seek(termHeightKey(this.#key.prefix, this.#key.term, height));
        this.#portion = portionMin;
      }
      this.#buffer = await this.#scan.next(this.#portion);
      this.#next = 0;
      this.#portion = Math.min(this.#portion * 2, portionMax);
      if (this.#buffer.length > 0) continue;
      this.at = null;
      return;
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
 * Places at which, of every group of terms, at least one occurs.
 *
 * @param groups at least one, none empty
 */
export async function* joinPostings(
  database: Scans,
  groups: readonly (readonly TermKey[])[],
  range: Range,
): AsyncGenerator<Posting, void, undefined> {
  const cursors = groups.map((terms) => new UnionCursor(terms.map((key) => new TermCursor(database, key, range))));
  try {
    let height = range.fromHeight;
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

/** What all lists have. */
function common(lists: readonly (readonly number[])[]): readonly number[] {
  const [shortest, ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return shortest!.filter((position) => sets.every((set) => set.has(position)));
}
