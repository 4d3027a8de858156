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

  it('memory of other definitions is refused', () => {
    expect(() => openMetrics(definitions, new SharedArrayBuffer(8))).toThrow(
      expect.objectContaining({ code: 'METRICS_MEMORY_SIZE' }),
    );
  });

  it('renders what Prometheus reads', async () => {
    const memory = allocateMetrics(definitions);
    const metrics = openMetrics(definitions, memory);
    metrics.add('blocks_total', 5);
    metrics.observe('wait_seconds', 0.5);
    const gauges = [
      { name: 'ring_bytes', help: 'Ring.', labelNames: ['link'], read: () => [{ labels: { link: 'a-b' }, value: 9 }] },
    ];
    const text = await renderMetrics(readMetrics(definitions, memory), gauges);
    expect(text).toContain('# TYPE blocks_total counter\nblocks_total 5');
    expect(text).toContain('ring_bytes{link="a-b"} 9');
    expect(text).toContain(
      'wait_seconds_bucket{le="1"} 1\nwait_seconds_bucket{le="+Inf"} 1\nwait_seconds_sum 0.5\nwait_seconds_count 1',
    );
  });
});
