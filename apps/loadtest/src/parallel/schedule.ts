/**
 * Blocks carried out by several workers at once, on paper: a simulation of the scheduler of Block-STM (Gelashvili et al., PPoPP 2023) over recorded read and
 * write sets. Items run optimistically in the order of the block; one that read what an item before it wrote later runs again, and what is known to be written
 * by an item that has to run again is waited for. Pure: the same items give the same schedule.
 */

/** An item of a block as it was recorded. */
export interface RecordedItem {
  /** Of the load: a transaction, an action or a batch. */
  readonly kind: string;
  /** µs that it runs for on one thread. */
  readonly micros: number;
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What optimistic execution costs beyond the items themselves. */
export interface ScheduleCosts {
  /** For each execution: taking the item, keeping its reads and writes for others, µs. */
  readonly executionMicros: number;
  /** Validation of an execution by each key that it read, µs. */
  readonly validationMicros: number;
}

/** How one block went in the simulation. */
export interface Schedule {
  /** From the first execution to the last validation, µs. */
  readonly micros: number;
  /** Of all items; more than there are items where some ran again. */
  readonly executions: number;
  /** Start of the last execution of each item and its end, µs. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

/** One after the other, without any of it: what the workers are compared with. */
export const sequentialMicros = (items: readonly RecordedItem[]): number =>
  items.reduce((sum, { micros }) => sum + micros, 0);

interface Slot {
  state: 'ready' | 'running' | 'done';
  start: number;
  end: number;
  /** It ran before: what it writes is known, and read by nobody until it ran again. */
  isEstimate: boolean;
  /** What it read changed while it ran. */
  isStale: boolean;
}

/** @param workers at least 1 */
export function schedule(items: readonly RecordedItem[], workers: number, costs: ScheduleCosts): Schedule {
  if (!Number.isSafeInteger(workers) || workers < 1) throw new RangeError(`${workers} workers`);
  const slots = items.map((): Slot => ({ state: 'ready', start: 0, end: 0, isEstimate: false, isStale: false }));
  const { writersBefore, readersAfter } = dependencies(items);
  let executions = 0;
  let now = 0;
  let free = workers;
  const running = new Set<number>();
  const costOf = (index: number): number => {
    const { micros, reads } = items[index]!;
    return micros + costs.executionMicros + costs.validationMicros * reads.length;
  };
  const isBlocked = (index: number): boolean =>
    writersBefore[index]!.some((writer) => slots[writer]!.isEstimate && slots[writer]!.state !== 'done');
  const begin = (): void => {
    for (let index = 0; index < items.length && free > 0; index++) {
      const slot = slots[index]!;
      if (slot.state !== 'ready' || isBlocked(index)) continue;
      Object.assign(slot, { state: 'running', start: now, end: now + costOf(index), isStale: false });
      running.add(index);
      free -= 1;
      executions += 1;
    }
  };
  const again = (index: number): void => {
    const slot = slots[index]!;
    slot.isEstimate = true;
    if (slot.state === 'running') slot.isStale = true;
    else slot.state = 'ready';
  };
  const finish = (index: number): void => {
    const slot = slots[index]!;
    running.delete(index);
    free += 1;
    if (slot.isStale) {
      slot.state = 'ready';
      return;
    }
    slot.state = 'done';
    slot.isEstimate = false;
    for (const reader of readersAfter[index]!) {
      const other = slots[reader]!;
      if (other.state !== 'ready' && other.start < slot.end) again(reader);
    }
  };
  for (begin(); running.size > 0; begin()) {
    now = Math.min(...[...running].map((index) => slots[index]!.end));
    for (const index of [...running].filter((one) => slots[one]!.end === now).toSorted((a, b) => a - b)) finish(index);
  }
  return { micros: now, executions, spans: slots.map(({ start, end }) => [start, end] as const) };
}

/** Of each item: the last writer before it of each key that it reads, and the items behind it whose read it decides. */
function dependencies(items: readonly RecordedItem[]): {
  readonly writersBefore: readonly (readonly number[])[];
  readonly readersAfter: readonly (readonly number[])[];
} {
  const lastWriter = new Map<string, number>();
  const readersAfter = items.map((): number[] => []);
  const writersBefore = items.map(({ reads, writes }, index) => {
    const writers = new Set(reads.flatMap((key) => lastWriter.get(key) ?? []));
    for (const writer of writers) readersAfter[writer]!.push(index);
    for (const key of writes) lastWriter.set(key, index);
    return [...writers];
  });
  return { writersBefore, readersAfter };
}
