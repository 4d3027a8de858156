import { workerData } from 'node:worker_threads';
import { openMetrics } from '../metrics.ts';

/** Counts what its worker data say, as fast as it can. */
const { definitions, memory, rounds } = workerData as {
  readonly definitions: {
    readonly blocks_total: { readonly type: 'counter'; readonly help: string };
    readonly height: { readonly type: 'gauge'; readonly help: string };
    readonly wait_seconds: { readonly type: 'histogram'; readonly help: string; readonly buckets: readonly number[] };
  };
  readonly memory: SharedArrayBuffer;
  readonly rounds: number;
};

const metrics = openMetrics(definitions, memory);
for (let round = 0; round < rounds; round++) {
  metrics.add('blocks_total');
  metrics.set('height', round);
  metrics.observe('wait_seconds', 0.5);
}
