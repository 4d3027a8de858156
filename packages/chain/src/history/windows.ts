import {
  encodePostings,
  heightOfKey,
  type Posting,
  postingsKey,
  type RecordWrite,
  statePrefix,
  termHeightKey,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { bigintToBytes, bigintToNumber, bytesToBigint, concatBytes, type Height } from '@prime/primitives';
import { type BlockRecords, bytesIn, storedRecords } from './blockRecords.ts';
import { metaKey, readOldest } from './history.ts';
import { bufferOf, bytesOf, eachTerm } from './terms.ts';

/**
 * Postings of some blocks in a row, gathered in memory and written at once: an entry for each term, and not for each term and block
 * (docs/adr/0228-postings-by-window.md). Until they are written readers look into the blocks themselves, so nothing is lost with a process.
 */

/** What a window has at most. It ends with the block that reaches one of them. */
export interface WindowLimits {
  /** Readers look through so many. */
  readonly blocks: number;
  /** Bytes of the records that readers look through. */
  readonly bytes: number;
  /** It is in memory, and it is written in one batch. */
  readonly terms: number;
  readonly places: number;
}

/** Those of a node. */
export const windowLimits: WindowLimits = { blocks: 64, bytes: 8 << 20, terms: 16_384, places: 262_144 };

/** Terms of a part of what a window leaves for the pruner. */
const partTerms = 2048;
/** Parts that are deleted at a time: all of a window. */
const partsMax = windowLimits.terms / partTerms;

/** First block of no window that is written: readers look for themselves from there on. Genesis is in none, as it is never pruned. */
export function readIndexed(database: Pick<StateDatabase, 'getSync'>): Height {
  const bytes = database.getSync(metaKey('indexedUntil'));
  return (bytes === undefined ? 1 : bigintToNumber(bytesToBigint(bytes))) as Height;
}

/** Places of a term. There are many terms and places, so that they take little more than their numbers. */
class TermPlaces {
  readonly list: number;
  readonly term: Uint8Array;
  /** Of each block its height, negative, and the places behind it. */
  readonly #numbers: number[] = [];
  #height = 0;

  constructor(list: number, term: Uint8Array) {
    this.list = list;
    this.term = term;
  }

  /** @returns whether it was not there yet */
  add(height: Height, position: number): boolean {
    if (height !== this.#height) {
      this.#height = height;
      this.#numbers.push(0 - height, position);
      return true;
    }
    if (this.#numbers.at(-1) === position) return false;
    this.#numbers.push(position);
    return true;
  }

  *postings(): Generator<Posting> {
    const numbers = this.#numbers;
    for (let at = 0; at < numbers.length; ) {
      const height = (0 - numbers[at++]!) as Height;
      const positions: number[] = [];
      while (at < numbers.length && numbers[at]! >= 0) positions.push(numbers[at++]!);
      yield { height, positions };
    }
  }
}

/** Blocks in a row, in the making. */
class Window {
  /** By list, then by term: each byte a character, the cheapest text that names it. */
  readonly #lists: (Map<string, TermPlaces> | undefined)[] = [];
  #blocks = 0;
  #bytes = 0;
  #last = 0 as Height;
  #terms = 0;
  #places = 0;

  reaches({ blocks, bytes, terms, places }: WindowLimits): boolean {
    return this.#blocks >= blocks || this.#bytes >= bytes || this.#terms >= terms || this.#places >= places;
  }

  /** @param height the one behind the last that was added */
  add(height: Height, records: BlockRecords): void {
    this.#blocks++;
    this.#bytes += bytesIn(records);
    this.#last = height;
    let from: Uint8Array | null = null;
    let text = bufferOf(new Uint8Array(0));
    eachTerm(records, (list, bytes, start, position) => {
      if (bytes !== from) {
        from = bytes;
        text = bufferOf(bytes);
      }
      const terms = (this.#lists[list] ??= new Map<string, TermPlaces>());
      const end = start + bytesOf(list);
      const name = text.toString('latin1', start, end);
      let places = terms.get(name);
      if (places === undefined) {
        terms.set(name, (places = new TermPlaces(list, bytes.slice(start, end))));
        this.#terms++;
      }
      if (places.add(height, position)) this.#places++;
    });
  }

  /** All of it, and that it is written. */
  writes(): RecordWrite[] {
    const last = this.#last;
    const all = this.#lists.flatMap((terms) => [...(terms?.values() ?? [])]);
    const writes: RecordWrite[] = all.map((each) => ({
      key: postingsKey(each, last),
      value: encodePostings(last, each.postings()),
    }));
    for (let at = 0; at < all.length; at += partTerms)
      writes.push({ key: partKey(last, at / partTerms), value: encodeTerms(all.slice(at, at + partTerms)) });
    writes.push({ key: metaKey('indexedUntil'), value: bigintToBytes(BigInt(last + 1)) });
    return writes;
  }
}

const partBytes = 4;
/** W | last block of the window | part */
function partKey(last: number, part: number): Uint8Array {
  const suffix = new Uint8Array(partBytes);
  new DataView(suffix.buffer).setUint32(0, part);
  return concatBytes(termHeightKey(statePrefix.windowTerms, new Uint8Array(0), last), suffix);
}

const encodeTerms = (terms: readonly { readonly list: number; readonly term: Uint8Array }[]): Uint8Array =>
  concatBytes(...terms.flatMap(({ list, term }) => [Uint8Array.of(list), term]));

/**
 * Indexes blocks, one after the other. What it needs of blocks before the first it reads, so that it goes on after a start, wherever the process
 * before ended.
 *
 * @returns indexes the block that was committed, which may write; to be called one at a time
 */
export function createIndexer(
  database: StateDatabase,
  limits = windowLimits,
): (height: Height, records: BlockRecords) => Promise<void> {
  let window = new Window();
  let next: Height | null = null;
  const add = async (height: Height, records: BlockRecords): Promise<void> => {
    window.add(height, records);
    next = (height + 1) as Height;
    if (!window.reaches(limits)) return;
    await database.write(window.writes(), { sync: false });
    window = new Window();
  };
  return async (height, records) => {
    if (next !== height) {
      window = new Window();
      const first = Math.max(readIndexed(database), readOldest(database, 'oldestBlock'));
      for (let missing = first; missing < height; missing++)
        await add(missing as Height, storedRecords(database, missing as Height));
    }
    await add(height, records);
  };
}

/**
 * Removes postings of windows that are behind what is kept, or some of them: the rest follows with the next call.
 *
 * @param oldest block that will be kept
 */
export async function windowDeletions(database: Pick<StateDatabase, 'scan'>, oldest: Height): Promise<RecordWrite[]> {
  const begin = (height: number): Uint8Array => termHeightKey(statePrefix.windowTerms, new Uint8Array(0), height);
  const scan = database.scan(begin(0), begin(oldest));
  try {
    const parts = await scan.next(partsMax);
    return parts.flatMap(([key, terms]) =>
      [key, ...keysOfPart(heightOfKey(key.subarray(0, -partBytes)), terms)].map((each) => ({ key: each, value: null })),
    );
  } finally {
    await scan.close();
  }
}

function* keysOfPart(last: number, terms: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < terms.length; ) {
    const list = terms[at]!;
    const end = at + 1 + bytesOf(list);
    yield postingsKey({ list, term: terms.subarray(at + 1, end) }, last);
    at = end;
  }
}
