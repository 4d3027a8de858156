import { BusError } from './errors.ts';

/**
 * The shared memory of a link: control words and counters of both directions, then two rings.
 *
 * A control word that one thread writes often has a cache line (64 bytes) of its own, so that the threads do not
 * fight for lines. Positions count bytes and wrap at 2^32; a ring's capacity is a power of two, so a position masked
 * is an offset. Control words are only touched with Atomics, which are sequentially consistent: "I publish, then I
 * look whether you sleep" against "I announce my sleep, then I look for frames" can not both miss.
 */
export type Side = 'a' | 'b';

const wordsPerLine = 16;
const bytesPerLine = 64;
const headerLines = 16;
const headerBytes = headerLines * bytesPerLine;

/** Frames begin at multiples of this, and a header fits in it: a header never wraps. */
export const frameAlignment = 16;
const ringBytesMin = 4096;
const ringBytesMax = 1 << 30;

/** Life of a side, in its state word. */
export const sideState = { unopened: 0, open: 1, closed: 2 } as const;

/** Places of the words that one direction needs. Indices into the Int32Array of the link's memory. */
interface DirectionWords {
  /** Bytes ever written; owned by the writer. */
  readonly write: number;
  /** Bytes ever read; owned by the reader. */
  readonly read: number;
  /** 1 while the writer has frames in its outbox that wait for space. */
  readonly writerWaiting: number;
}

interface SideWords {
  /** 1 while the side sleeps; whoever has something for it sets 0 and wakes it. */
  readonly sleeping: number;
  readonly state: number;
}

const line = (index: number): number => index * wordsPerLine;

const directionWords: Readonly<Record<Side, DirectionWords>> = {
  a: { write: line(0), read: line(1), writerWaiting: line(2) },
  b: { write: line(3), read: line(4), writerWaiting: line(5) },
};

/** Indices into the Int32Array of the link's memory; each word is written by its own side, and `sleeping` by both. */
export const sideWords: Readonly<Record<Side, SideWords>> = {
  a: { sleeping: line(6), state: line(8) },
  b: { sleeping: line(7), state: line(9) },
};

const counterLine = (index: number): number => index * (bytesPerLine / 8);

/**
 * Counters are doubles, each written by one thread: an aligned 8-byte store is one store on every platform of Node. Indices into
 * the Float64Array over the link's memory: five that the writer of a ring counts, and two that its reader does.
 */
const counterIndices = (writer: number, reader: number) => ({
  messages: writer,
  bytes: writer + 1,
  depthBytesMax: writer + 2,
  fullRejections: writer + 3,
  outboxBytesMax: writer + 4,
  messagesRead: reader,
  waits: reader + 1,
});
const directionCounters: Readonly<Record<Side, Readonly<ReturnType<typeof counterIndices>>>> = {
  a: counterIndices(counterLine(10), counterLine(11)),
  b: counterIndices(counterLine(12), counterLine(13)),
};

const capacityWord: Readonly<Record<Side, number>> = { a: line(14), b: line(14) + 1 };

/** The side that reads what this one writes. */
export const otherSide = (side: Side): Side => (side === 'a' ? 'b' : 'a');

/**
 * Allocates the memory of a link whose sides write into rings of the given sizes.
 *
 * @throws BusError `BUS_OPTIONS_INVALID` unless both are powers of two in 4096..2^30
 */
export function allocateLinkMemory(ringBytes: Readonly<Record<Side, number>>): SharedArrayBuffer {
  for (const bytes of [ringBytes.a, ringBytes.b]) {
    const powerOfTwo = Number.isInteger(bytes) && (bytes & (bytes - 1)) === 0;
    if (!powerOfTwo || bytes < ringBytesMin || bytes > ringBytesMax)
      throw new BusError(`ringBytes must be a power of two in ${ringBytesMin}..${ringBytesMax}, got ${bytes}`, {
        code: 'BUS_OPTIONS_INVALID',
        option: 'ringBytes',
        value: bytes,
      });
  }
  const memory = new SharedArrayBuffer(headerBytes + ringBytes.a + ringBytes.b);
  const control = new Int32Array(memory, 0, headerBytes / 4);
  control[capacityWord.a] = ringBytes.a;
  control[capacityWord.b] = ringBytes.b;
  return memory;
}

/** Views on the ring that `side` writes. */
export interface RingMemory {
  readonly control: Int32Array;
  readonly words: DirectionWords;
  readonly counters: Float64Array;
  /** Where each counter of the ring is in `counters`. */
  readonly places: (typeof directionCounters)[Side];
  readonly data: Uint8Array;
  readonly dataWords: Uint32Array;
  readonly capacity: number;
}

/**
 * Opens views on the ring that `side` writes, and on the header that both rings share. Nothing is copied or
 * initialised.
 */
export function ringMemory(memory: SharedArrayBuffer, side: Side): RingMemory {
  const control = new Int32Array(memory, 0, headerBytes / 4);
  const capacity = Atomics.load(control, capacityWord[side]);
  const start = headerBytes + (side === 'a' ? 0 : Atomics.load(control, capacityWord.a));
  return {
    control,
    words: directionWords[side],
    counters: new Float64Array(memory, 0, headerBytes / 8),
    places: directionCounters[side],
    data: new Uint8Array(memory, start, capacity),
    dataWords: new Uint32Array(memory, start, capacity / 4),
    capacity,
  };
}
