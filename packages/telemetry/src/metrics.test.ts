import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from '@jest/globals';
import { allocateMetrics, openMetrics, readMetrics } from './metrics.ts';
import { renderMetrics } from './registry.ts';

const definitions = {
  blocks_total: { type: 'counter', help: 'Blocks.' },
  height: { type: 'gauge', help: 'Height.' },
  wait_seconds: { type: 'histogram', help: 'Waits.', buckets: [0.1, 1] },
} as const;

describe('metrics in shared memory', () => {
  it('what one view writes another one reads', () => {
    const memory = allocateMetrics(definitions);
    const metrics = openMetrics(definitions, memory);
    metrics.add('blocks_total');
    metrics.add('blocks_total', 2);
    metrics.set('height', 7);
    for (const value of [0.05, 0.1, 0.5, 3]) metrics.observe('wait_seconds', value);
    const [blocks, height, waits] = readMetrics(definitions, memory);
    expect(blocks).toMatchObject({ type: 'counter', value: 3 });
    expect(height).toMatchObject({ type: 'gauge', value: 7 });
    expect(waits).toMatchObject({
      buckets: [
        [0.1, 2],
        [1, 3],
        [Number.POSITIVE_INFINITY, 4],
      ],
    });
  });

  it('values of a label are counted one by one, and read as one counter', async () => {
    const labelled = {
      before_total: { type: 'counter', help: 'Before.' },
      refused_total: { type: 'counters', help: 'Refused.', label: 'reason', values: ['rate', 'size'] },
      after_total: { type: 'counter', help: 'After.' },
    } as const;
    const memory = allocateMetrics(labelled);
    const [one, other] = [openMetrics(labelled, memory), openMetrics(labelled, memory)];
    one.count('refused_total', 'size');
    other.count('refused_total', 'size');
    other.add('after_total', 7);
    const readings = readMetrics(labelled, memory);
    expect(readings[1]).toMatchObject({
      counts: [
        ['rate', 0],
        ['size', 2],
      ],
    });
    const text = await renderMetrics(readings, []);
    expect(text).toContain('# TYPE refused_total counter');
    expect(text).toContain('refused_total{reason="size"} 2');
    expect(text).toContain('after_total 7');
    expect(text).toContain('before_total 0');
  });

  it('histograms of a label are apart from each other, and from their neighbours', async () => {
    const labelled = {
      before_total: { type: 'counter', help: 'Before.' },
      step_seconds: { type: 'histograms', help: 'Steps.', label: 'step', values: ['one', 'two'], buckets: [0.1, 1] },
      after_total: { type: 'counter', help: 'After.' },
    } as const;
    const memory = allocateMetrics(labelled);
    const [one, other] = [openMetrics(labelled, memory), openMetrics(labelled, memory)];
    one.observeOf('step_seconds', 'two', 0.5);
    other.observeOf('step_seconds', 'two', 7);
    one.observeOf('step_seconds', 'one', 0.1);
    const text = await renderMetrics(readMetrics(labelled, memory), []);
    expect(text.split('\n').filter((line) => line.startsWith('step_seconds'))).toEqual([
      'step_seconds_bucket{step="one",le="0.1"} 1',
      'step_seconds_bucket{step="one",le="1"} 1',
      'step_seconds_bucket{step="one",le="+Inf"} 1',
      'step_seconds_sum{step="one"} 0.1',
      'step_seconds_count{step="one"} 1',
      'step_seconds_bucket{step="two",le="0.1"} 0',
      'step_seconds_bucket{step="two",le="1"} 1',
      'step_seconds_bucket{step="two",le="+Inf"} 2',
      'step_seconds_sum{step="two"} 7.5',
      'step_seconds_count{step="two"} 2',
    ]);
    expect(text).toContain('# TYPE step_seconds histogram');
    expect(text).toContain('before_total 0');
    expect(text).toContain('after_total 0');
  });

  it('memory of other definitions is refused', () => {
    expect(() => openMetrics(definitions, new SharedArrayBuffer(8))).toThrow(
      expect.objectContaining({ code: 'METRICS_MEMORY_SIZE' }),
    );
  });

  it('several threads count the same metric: nothing is lost', async () => {
    const memory = allocateMetrics(definitions);
    const rounds = 1_000_000;
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const workers = Array.from(
      { length: 3 },
      () =>
        new Worker(new URL('./testing/counting.worker.js', import.meta.url), {
          workerData: { definitions, memory, rounds, gate, threads: 3 },
        }),
    );
    const exits = await Promise.all(workers.map((worker) => once(worker, 'exit')));
    expect(exits).toEqual([[0], [0], [0]]);
    const [blocks, height, waits] = readMetrics(definitions, memory);
    expect(blocks).toMatchObject({ value: 3 * rounds });
    expect(height).toMatchObject({ value: rounds - 1 });
    expect(waits).toMatchObject({
      sum: 3 * rounds * 0.5,
      buckets: [
        [0.1, 0],
        [1, 3 * rounds],
        [Number.POSITIVE_INFINITY, 3 * rounds],
      ],
    });
  });

  it('opened more often than there are lanes: refused with a code, what is open goes on', () => {
    const memory = allocateMetrics(definitions);
    const first = openMetrics(definitions, memory);
    const openAll = () => {
      for (let index = 0; index < 1000; index++) openMetrics(definitions, memory).add('blocks_total');
    };
    expect(openAll).toThrow(expect.objectContaining({ code: 'METRICS_LANES_EXHAUSTED' }));
    first.add('blocks_total');
    expect(readMetrics(definitions, memory)[0]).toMatchObject({ value: 64 });
  });

  it('renders what Prometheus reads', async () => {
    const memory = allocateMetrics(definitions);
    const metrics = openMetrics(definitions, memory);
    metrics.add('blocks_total', 5);
    metrics.observe('wait_seconds', 0.5);
    const [a, b, none] = [
      { link: 'a"b' },
      { link: 'b' },
      { name: 'unknown_bytes', type: 'gauge', help: 'Not told.', labelNames: [], read: () => [] },
    ] as const;
    const text = await renderMetrics(readMetrics(definitions, memory), [
      {
        name: 'ring_bytes_total',
        type: 'counter',
        help: 'Ring.',
        labelNames: ['link'],
        read: () => [
          { labels: a, value: 9 },
          { labels: b, value: 10 },
        ],
      },
      none,
    ]);
    expect(text).toContain('# HELP blocks_total Blocks.\n# TYPE blocks_total counter\nblocks_total 5\n');
    expect(text).toContain('# TYPE height gauge\nheight 0\n');
    expect(text).toContain('# TYPE wait_seconds histogram\nwait_seconds_bucket{le="0.1"} 0\n');
    expect(text).toContain('# TYPE ring_bytes_total counter\n');
    expect(text).toContain('ring_bytes_total{link="a\\"b"} 9\nring_bytes_total{link="b"} 10\n');
    // What is not known is left out, which is not the same as 0.
    expect(text).not.toMatch(/^unknown_bytes/m);
    expect(text).toContain(
      'wait_seconds_bucket{le="1"} 1\nwait_seconds_bucket{le="+Inf"} 1\nwait_seconds_sum 0.5\nwait_seconds_count 1',
    );
  });
});
