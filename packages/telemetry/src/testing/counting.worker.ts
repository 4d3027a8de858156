import { workerData } from 'node:worker_threads';
import { openMetrics } from '../metrics.ts';

/** Counts what its worker data say, as fast as it can, from the moment when all counting threads are there. */
const { definitions, memory, rounds, gate, threads } = workerData as {
  readonly definitions: {
    readonly blocks_total: { readonly type: 'counter'; readonly help: string };
    readonly height: { readonly type: 'gauge'; readonly help: string };
    readonly wait_seconds: { readonly type: 'histogram'; readonly help: string; readonly buckets: readonly number[] };
  };
  readonly memory: SharedArrayBuffer;
  readonly rounds: number;
  readonly gate: Int32Array;
  readonly threads: number;
};

const metrics = openMetrics(definitions, memory);
Atomics.add(gate, 0, 1);
Atomics.notify(gate, 0);
for (let arrived = Atomics.load(gate, 0); arrived < threads; arrived = Atomics.load(gate, 0))
  Atomics.wait(gate, 0, arrived);
for (let round = 0; round < rounds; round++) {
  metrics.add('blocks_total');
  metrics.set('height', round);
  metrics.observe('wait_seconds', 0.5);
}
