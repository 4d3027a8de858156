import type { HeightRange } from '@prime/rpc';
import { assert, type Height } from '@prime/primitives';

/** Every entry has it, so that a query without terms has a list too. */
const everything = '';

/** Entries of one term, oldest first; those before `start` are gone. */
interface TermList<Entry> {
  entries: Entry[];
  start: number;
}

interface Placed {
  readonly height: Height;
}

/**
 * Entries of the recent blocks by term, so that a query costs what the rarest of its terms has and not what the blocks hold.
 * Blocks come and go in order of height, so that a list is a queue.
 */
export class RecentIndex<Entry extends Placed> {
  readonly #termsOf: (entry: Entry) => readonly string[];
  readonly #placeOf: (entry: Entry) => number;
  readonly #lists = new Map<string, TermList<Entry>>();

  /**
   * @param termsOf distinct terms of an entry
   * @param placeOf place of an entry in its block
   */
  constructor(termsOf: (entry: Entry) => readonly string[], placeOf: (entry: Entry) => number) {
    this.#termsOf = termsOf;
    this.#placeOf = placeOf;
  }

  /** Entries of the newest block, in order. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries)
      for (const term of [everything, ...this.#termsOf(entry)]) {
        const list = this.#lists.get(term);
        if (list === undefined) this.#lists.set(term, { entries: [entry], start: 0 });
        else list.entries.push(entry);
      }
  }

  /** Takes the entries of the oldest block out. */
  drop(entries: readonly Entry[]): void {
    for (const entry of entries)
      for (const term of [everything, ...this.#termsOf(entry)]) {
        const list = this.#lists.get(term);
        assert(list?.entries[list.start] === entry, `the oldest entry of ${term} is not the one that goes`);
        list.start++;
        if (list.start === list.entries.length) this.#lists.delete(term);
        else if (list.start * 2 > list.entries.length) {
          list.entries = list.entries.slice(list.start);
          list.start = 0;
        }
      }
  }

  /**
   * Entries of the range that have a term of the rarest group, in order. Other groups are left for the caller to check.
   *
   * @param groups of each group at least one term is wanted; an empty group wants nothing
   */
  candidates(groups: readonly (readonly string[])[], range: HeightRange): readonly Entry[] {
    const choices = groups.filter((group) => group.length > 0).map((group) => [...new Set(group)]);
    if (choices.length === 0) choices.push([everything]);
    const found = choices.map((group) => group.map((term) => this.#slice(term, range)));
    const sizes = found.map((slices) => slices.reduce((size, { from, to }) => size + to - from, 0));
    const rarest = found[sizes.indexOf(Math.min(...sizes))]!.filter(({ from, to }) => from < to);
    const entries = rarest.flatMap(({ list, from, to }) => list.slice(from, to));
    return rarest.length < 2 ? entries : [...new Set(entries)].sort((a, b) => this.#compare(a, b));
  }

  #compare(a: Entry, b: Entry): number {
    return a.height - b.height || this.#placeOf(a) - this.#placeOf(b);
  }

  #slice(term: string, { fromHeight, toHeight }: HeightRange): Slice<Entry> {
    const list = this.#lists.get(term);
    if (list === undefined) return { list: [], from: 0, to: 0 };
    const { entries, start } = list;
    return {
      list: entries,
      from: lowerBound(entries, start, fromHeight),
      to: lowerBound(entries, start, toHeight + 1),
    };
  }
}

interface Slice<Entry> {
  readonly list: readonly Entry[];
  readonly from: number;
  readonly to: number;
}

/** First place from `start` on whose entry is not below the height. */
function lowerBound(entries: readonly Placed[], start: number, height: number): number {
  let low = start;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.height < height) low = middle + 1;
    else high = middle;
  }
  return low;
}
