import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { threadNames } from '../threads/topology.ts';

/** V8's flag; it is looked at in each collection, so that it may be set while the process runs. */
export const scavengeAlone = '--no-parallel-scavenge';

/**
 * Has each thread collect its young garbage itself where processors are no more than threads with work.
 *
 * V8 gives parts of a collection to helpers, and the thread waits until the last has ended. A helper that has begun and lost its processor to
 * somebody else is waited for as long as that takes: tens of milliseconds, for a millisecond of work (docs/performance/scavenges.md).
 *
 * @param setFlag for tests
 * @returns whether helpers were switched off
 */
export function spareHelpers(
  processors: number = availableParallelism(),
  setFlag: (flag: string) => void = setFlagsFromString,
): boolean {
  if (processors > threadNames.length) return false;
  setFlag(scavengeAlone);
  return true;
}

/** V8's flag; it is looked at in each collection, so that it may be set while the process runs. */
export const growByHalf = '--heap-growing-percent=50';

/**
 * Has the old objects of a thread be collected once they are half as much again as what lived after the last collection.
 *
 * V8 lets a heap grow up to four times where the machine has room, and under load a validator took hundreds of MiB that held nothing
 * (docs/adr/0179-memory-that-holds-something.md).
 *
 * @param setFlag for tests
 */
export function collectEarly(setFlag: (flag: string) => void = setFlagsFromString): void {
  setFlag(growByHalf);
}

/** V8's flags: MiB of each half of the young objects at first, and of old ones before the first collection of the whole heap. They are read when a thread is made. */
export const roomyHeaps = ['--min-semi-space-size=4', '--initial-old-space-size=32'];

/** Of a thread whose young objects are kept at most that large; see {@link youngHeap}. */
export interface YoungHeap {
  readonly maxYoungGenerationSizeMb: number;
}

/**
 * Resource limits of a thread for its young objects. V8 lets them have 16 MiB in each half by itself, and a validator has eight threads: that was 60 MiB more
 * and no faster.
 *
 * `large`, 8 MiB, is for threads that hold what comes until its block is written: it would become old in less. `small`, 4 MiB, is for those whose objects
 * last no longer than an answer.
 */
export const youngHeap = (size: 'large' | 'small'): YoungHeap => ({
  // V8 counts three such halves.
  maxYoungGenerationSizeMb: 3 * (size === 'large' ? 8 : 4),
});

/**
 * Has the threads that are made from now on begin with room for what they load, so that they collect garbage when there is some.
 *
 * A heap that begins with V8's 1 MiB of young objects copies what a thread loads again and again: half a hundred collections, four of them of the
 * whole heap, until a node serves (docs/performance/heaps.md).
 *
 * @param setFlag for tests
 */
export function beginWithRoom(setFlag: (flag: string) => void = setFlagsFromString): void {
  for (const flag of roomyHeaps) setFlag(flag);
}

/** V8's flag; it is read when a thread is made. */
export const keepIdleHeaps = '--no-memory-reducer';

/**
 * Has the threads that are made from now on collect old objects when there are many new ones, and not because they do little just now.
 *
 * V8 collects a whole heap two or three times when a thread allocates less than before, to give memory back. A node has eight threads, and each lull
 * between two bursts is one: that was a sixth of what a network at rest takes, in pauses of up to 40 ms, for 15 MiB (docs/performance/write-path.md, "Idle").
 *
 * @param setFlag for tests
 */
export function collectNothingAtRest(setFlag: (flag: string) => void = setFlagsFromString): void {
  setFlag(keepIdleHeaps);
}
