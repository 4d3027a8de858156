import type { BlockTrace, ItemTrace } from './recording.ts';
import { type RecordedItem, schedule, type ScheduleCosts, sequentialMicros } from './schedule.ts';

/**
 * Unit costs, µs of processor time on the reference machine. They come from the table of docs/performance/write-path.md and from the stages of a block of 867
 * transfers (run 62 ms, roots 31, history 10, batch 20, delta 4); an ERC-20 transfer runs for 206 µs at 51 500 gas.
 */
const unitCosts = {
  /** A transaction runs for so long, and longer by its gas above that of a transfer. */
  transactionMicros: 72,
  gasMicros: 134 / 30_500,
  transferGas: 21_000,
  /** An order: matching and margin. */
  orderMicros: 16,
  /** An order of a batch, and a batch. */
  batchedMicros: 7,
  batchMicros: 9,
  /** Root: each key that a block changes. */
  rootKeyMicros: 17,
  /** History, batch and delta, which stay in the order of blocks. */
  tailMicros: 40,
  /** What other threads do for an item: the busiest of them bounds the network. The crypto pool grows with the cores. */
  gatewayMicros: 48,
  consensusMicros: 48,
  cryptoMicros: 81,
} as const;

/**
 * An execution by Block-STM in worker threads: the item and its result go through rings (two messages), and each key that was read is looked up in a shared
 * multi-version table, which in JavaScript is bytes in shared memory.
 */
const scheduleCosts: ScheduleCosts = { executionMicros: 6, validationMicros: 0.6 };

const microsOf = ({ kind, gas, steps }: ItemTrace): number => {
  if (kind === 'transaction')
    return unitCosts.transactionMicros + Math.max(0, gas - unitCosts.transferGas) * unitCosts.gasMicros;
  return kind === 'batch' ? unitCosts.batchMicros + steps * unitCosts.batchedMicros : unitCosts.orderMicros;
};

/** Items of a recording in blocks of one size: those that were recorded are as small as the rate was low. */
export function regroup(
  blocks: readonly BlockTrace[],
  size: number,
  keepsFees: boolean,
): readonly (readonly RecordedItem[])[] {
  const items = blocks.flatMap(({ feeKey, items: own }) =>
    own.map((item) => {
      // What everybody only adds to is summed at the end of the block, and is no conflict.
      const without = (keys: readonly string[]): readonly string[] =>
        keepsFees || item.kind !== 'transaction' ? keys : keys.filter((key) => key !== feeKey);
      return { kind: item.kind, micros: microsOf(item), reads: without(item.reads), writes: without(item.writes) };
    }),
  );
  return Array.from({ length: Math.floor(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** What more workers would bring for one load; one row for each number of cores. */
export interface Forecast {
  /** Share of items that read what an earlier item of their block wrote. */
  readonly conflicts: number;
  /** µs of an item: to run, and for the root. */
  readonly runMicros: number;
  readonly rootMicros: number;
  readonly rows: readonly ForecastRow[];
}

interface ForecastRow {
  readonly cores: number;
  /** How much faster a block runs on as many workers, and how often an item runs. */
  readonly speedup: number;
  readonly executions: number;
  /** Items a second of one validator that has the cores for itself: as threads are today, and with what could be built. */
  readonly today: number;
  readonly rootApart: number;
  readonly parallel: number;
  readonly both: number;
}

/** Threads that have other work than transactions: consensus, gateway, the crypto pool, the order book, the compiler and the collector. */
const otherThreads = 3;

/** @throws RangeError when the recording has not one whole block */
export function forecast(blocks: readonly (readonly RecordedItem[])[], coresOf: readonly number[]): Forecast {
  if (blocks.length === 0) throw new RangeError('the recording is smaller than one block');
  const items = blocks.reduce((sum, block) => sum + block.length, 0);
  const runMicros = blocks.reduce((sum, block) => sum + sequentialMicros(block), 0) / items;
  const changed = blocks.reduce((sum, block) => sum + new Set(block.flatMap(({ writes }) => writes)).size, 0);
  const rootMicros = (changed * unitCosts.rootKeyMicros) / items;
  const rows = coresOf.map((cores): ForecastRow => {
    const workers = Math.max(1, cores - otherThreads);
    const made = blocks.map((block) => schedule(block, workers, scheduleCosts));
    const parallelMicros = Math.min(runMicros, made.reduce((sum, { micros }) => sum + micros, 0) / items);
    const { tailMicros, gatewayMicros, consensusMicros, cryptoMicros } = unitCosts;
    const others = gatewayMicros + consensusMicros + cryptoMicros;
    const rate = (run: number, thread: number): number => {
      const busiest = Math.max(
        thread,
        gatewayMicros,
        consensusMicros,
        cryptoMicros / Math.max(1, Math.floor(cores / 2)),
      );
      const all = (run + rootMicros + tailMicros + others) / cores;
      return Math.round(1e6 / Math.max(busiest, all));
    };
    const work =
      made.reduce((sum, { spans }) => sum + spans.reduce((all, [start, end]) => all + end - start, 0), 0) / items;
    return {
      cores,
      speedup: runMicros / parallelMicros,
      executions: made.reduce((sum, { executions }) => sum + executions, 0) / items,
      today: rate(runMicros, runMicros + rootMicros + tailMicros),
      rootApart: rate(runMicros, Math.max(runMicros + tailMicros, rootMicros)),
      parallel: rate(work, parallelMicros + rootMicros + tailMicros),
      both: rate(work, Math.max(parallelMicros + tailMicros, rootMicros)),
    };
  });
  return { conflicts: conflictShare(blocks), runMicros, rootMicros, rows };
}

function conflictShare(blocks: readonly (readonly RecordedItem[])[]): number {
  let conflicts = 0;
  let items = 0;
  for (const block of blocks) {
    const written = new Set<string>();
    for (const { reads, writes } of block) {
      items += 1;
      if (reads.some((key) => written.has(key))) conflicts += 1;
      for (const key of writes) written.add(key);
    }
  }
  return conflicts / items;
}
