import type { Hash } from '@prime/primitives';

/** Moments on the way of a transaction or action, in the order in which a proposer comes to them. */
export const stampedStages = [
  /** The item was admitted to the mempool of this node. */
  'pooled',
  /** The item stands in a block that this node built for its own proposal. */
  'taken',
  /** This node built the block for its own proposal. */
  'proposed',
  /** The block that another one proposed is complete here. */
  'received',
  /** Prevotes of more than 2/3 of the power are here, and this node precommits. */
  'polka',
  /** Precommits of more than 2/3 of the power are here. */
  'decided',
  /** Block and certificate are on the disk. */
  'durable',
  /** The block is part of the state. */
  'executed',
  /** All answers of JSON-RPC are as of the block. */
  'visible',
  /** What subscribers are told of the block was handed to their connections. */
  'delivered',
] as const;

/** One of the moments, by the name that reports and the admin endpoint show. */
export type StampedStage = (typeof stampedStages)[number];

/** The threads that stamp. Each has a lane of the ring of its own, so that a lane has one writer. */
export const stampingThreads = ['consensus', 'evm', 'gateway'] as const;

/** A thread that has a lane in the ring. */
export type StampingThread = (typeof stampingThreads)[number];

/** The most stamps that a ring may hold: 160 MiB. */
export const stampsMax = 1 << 22;

/** One moment as it is read; hashes by their first 8 bytes, hex with 0x, which tells apart what one run sends. */
export interface Stamp {
  readonly stage: StampedStage;
  /** 0 where it is not known yet. */
  readonly height: number;
  readonly block: string | null;
  /** Transaction or action; null where the whole block is meant. */
  readonly item: string | null;
  /** µs since 1970, by the one clock of the process. */
  readonly atUs: number;
}

/** What one lane answers to a reader. */
export interface LaneReading {
  readonly stamps: readonly Stamp[];
  /** Where the next reading goes on. */
  readonly next: number;
  /** Stamps between where the reader was and what is still there. */
  readonly lost: number;
  readonly more: boolean;
}

/**
 * A stamp: [stage, –, item, item, block, block] as 32-bit words, then height and time as doubles, in 40 bytes.
 */
const wordsPerStamp = 10;
const doublesPerStamp = wordsPerStamp / 2;
/** Places beyond those that are read: the one that is being written, and one that weakly ordered memory may show early. */
const sparePlaces = 2;
/** Of the whole ring: doubles before the lanes. */
const headDoubles = 2;
/** Of a lane: the count of its stamps, before them. */
const laneHeadDoubles = 1;
/** Threads that stamp blocks alone need less room than the one that stamps what is in them. */
const blockLaneShare = 16;
const blockLaneStampsMin = 64;

const laneStamps = (thread: StampingThread, stamps: number): number =>
  thread === 'consensus' ? stamps : Math.max(blockLaneStampsMin, Math.ceil(stamps / blockLaneShare));
const laneDoubles = (stamps: number): number => laneHeadDoubles + (stamps + sparePlaces) * doublesPerStamp;

/** A thread's part of a ring. */
interface Lane {
  readonly stamps: number;
  /** Stamps that it has room for, with those that are being overwritten. */
  readonly places: number;
  /** Stamps that were ever written. */
  readonly count: BigInt64Array;
  /** Its stamps, seen as words and as doubles. */
  readonly words: Int32Array;
  readonly doubles: Float64Array;
}

function laneOf(buffer: SharedArrayBuffer, thread: StampingThread): Lane {
  const [all = 0] = new Float64Array(buffer);
  const place = stampingThreads.indexOf(thread);
  if (place < 0) throw new RangeError(`thread ${thread as string} stamps nothing`);
  const earlier = stampingThreads.slice(0, place);
  const from = earlier.reduce((sum, each) => sum + laneDoubles(laneStamps(each, all)), headDoubles);
  const stamps = laneStamps(thread, all);
  const places = stamps + sparePlaces;
  const at = (from + laneHeadDoubles) * Float64Array.BYTES_PER_ELEMENT;
  return {
    stamps,
    places,
    count: new BigInt64Array(buffer, from * BigInt64Array.BYTES_PER_ELEMENT, 1),
    words: new Int32Array(buffer, at, places * wordsPerStamp),
    doubles: new Float64Array(buffer, at, places * doublesPerStamp),
  };
}

/**
 * Memory of a ring that all threads of a node stamp into.
 *
 * @param stamps that are kept of consensus, 1 to {@link stampsMax}; the other threads keep a part of that
 * @param anchorUs what {@link stampClock} takes
 */
export function allocateStampRing(stamps: number, anchorUs: number): SharedArrayBuffer {
  const lanes = stampingThreads.map((thread) => laneDoubles(laneStamps(thread, stamps)));
  const doubles = lanes.reduce((sum, lane) => sum + lane, headDoubles);
  const buffer = new SharedArrayBuffer(doubles * Float64Array.BYTES_PER_ELEMENT);
  new Float64Array(buffer).set([stamps, anchorUs]);
  return buffer;
}

/** Reads from the head of a ring what `stampClock` takes, in µs, so that all threads stamp by one clock. */
export const anchorUsOf = (buffer: SharedArrayBuffer): number => new Float64Array(buffer)[1]!;

/** The one writer of a lane. */
export class LaneWriter {
  readonly #lane: Lane;
  #written: number;

  constructor(buffer: SharedArrayBuffer, thread: StampingThread) {
    this.#lane = laneOf(buffer, thread);
    this.#written = Number(Atomics.load(this.#lane.count, 0));
  }

  /** @param stage index in {@link stampedStages} */
  write(stage: number, height: number, block: Hash | null, item: Hash | null, atUs: number): void {
    const { places, words, doubles, count } = this.#lane;
    const place = this.#written % places;
    const word = place * wordsPerStamp;
    words[word] = stage;
    writeHash(words, word + 2, item);
    writeHash(words, word + 4, block);
    doubles[place * doublesPerStamp + 3] = height;
    doubles[place * doublesPerStamp + 4] = atUs;
    this.#written += 1;
    Atomics.store(count, 0, BigInt(this.#written));
  }
}

/** Reads what a lane holds, from any thread, while it is written. */
export class LaneReader {
  readonly #lane: Lane;

  constructor(buffer: SharedArrayBuffer, thread: StampingThread) {
    this.#lane = laneOf(buffer, thread);
  }

  /** Stamps that were ever written. */
  get written(): number {
    return Number(Atomics.load(this.#lane.count, 0));
  }

  /**
   * @param after stamps that the reader has, or has given up; 0 at first
   * @param limit the most that are wanted
   */
  read(after: number, limit: number): LaneReading {
    const { written } = this;
    const from = Math.max(after, this.#oldest(written));
    const to = Math.min(written, from + limit);
    const stamps: Stamp[] = [];
    for (let sequence = from; sequence < to; sequence++) stamps.push(this.#at(sequence));
    // What was written meanwhile may stand where others were read.
    const overwritten = Math.min(stamps.length, Math.max(0, this.#oldest(this.written) - from));
    return {
      stamps: overwritten === 0 ? stamps : stamps.slice(overwritten),
      next: Math.max(to, after),
      lost: Math.max(0, from - after) + overwritten,
      more: to < written,
    };
  }

  #oldest(written: number): number {
    return Math.max(0, written - this.#lane.stamps);
  }

  #at(sequence: number): Stamp {
    const { places, words, doubles } = this.#lane;
    const place = sequence % places;
    const word = place * wordsPerStamp;
    return {
      // Of a stamp that is being overwritten it may be any number; that one is thrown away.
      stage: stampedStages[words[word]!] ?? 'pooled',
      height: doubles[place * doublesPerStamp + 3]!,
      block: readHash(words, word + 4),
      item: readHash(words, word + 2),
      atUs: doubles[place * doublesPerStamp + 4]!,
    };
  }
}

/** Hex digits of a 32-bit word. */
const wordDigits = 8;

function writeHash(words: Int32Array, at: number, hash: Hash | null): void {
  words[at] = hash === null ? 0 : wordIn(hash, 2);
  words[at + 1] = hash === null ? 0 : wordIn(hash, 2 + wordDigits);
}

/** Eight lower case hex digits as a number, without a string in between. */
function wordIn(hash: Hash, from: number): number {
  let word = 0;
  for (let at = from; at < from + wordDigits; at++) {
    const code = hash.charCodeAt(at);
    // '0' is 48 and 'a' is 97: 87 below it is 10.
    word = (word << 4) | (code - (code < 97 ? 48 : 87));
  }
  return word;
}

function readHash(words: Int32Array, at: number): string | null {
  const [high, low] = [words[at]!, words[at + 1]!];
  return high === 0 && low === 0 ? null : `0x${digitsOf(high)}${digitsOf(low)}`;
}

const byteDigits = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Of a word. Each stamp that is read has two or four of them, and a table is quicker than making and filling up a text. */
const digitsOf = (word: number): string =>
  byteDigits[word >>> 24]! +
  byteDigits[(word >>> 16) & 255]! +
  byteDigits[(word >>> 8) & 255]! +
  byteDigits[word & 255]!;
