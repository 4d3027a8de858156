import { describe, expect, it } from '@jest/globals';
import { LatencyHistogram } from '../../histogram.ts';
import { type Progress, progressLine, progressMetrics } from './progress.ts';

const latency = new LatencyHistogram();
for (const ms of [2, 2, 2, 80]) latency.record(ms);
const progress: Progress = {
  atMs: 12_345,
  counts: { scheduled: 300, sent: 299, acknowledged: 290, committed: 280, failed: 1, refused: 6, unknown: 3, late: 4 },
  latency: latency.percentiles(),
  errors: new Map([
    [-32_005, 6],
    [0, 3],
  ]),
  errorTotals: new Map([
    [-32_005, 40],
    [0, 3],
  ]),
  acknowledged: latency,
  workers: [
    { name: 'worker 0', sent: 1_900, cpuSeconds: 1.5, died: null },
    { name: 'a\\b"c', sent: 1_700, cpuSeconds: 1.25, died: 'gone' },
  ],
  scheduled: 3_700,
  committed: 3_600,
  open: 11,
  head: 99,
  answering: 3,
  nodes: 4,
};

describe('progress', () => {
  it('is a line with what was asked and what came, errors by code, head and who answers', () => {
    expect(progressLine(progress)).toBe(
      '   12 s  asked 300/s  acknowledged 290/s  in blocks 280/s  p50 2.0 ms  p99 80 ms  errors 6 (-32005) 3 (lost)  open 11  head 99  3 of 4 answer',
    );
  });

  it('has no latency and no errors where there were none', () => {
    const quiet = { ...progress, latency: new LatencyHistogram().percentiles(), errors: new Map<number, number>() };
    expect(progressLine(quiet)).toContain('p50 -  p99 -  errors 0  open');
  });

  it('is the text format of Prometheus, with units in the names', () => {
    const text = progressMetrics(progress);
    expect(text.endsWith('\n')).toBe(true);
    for (const line of [
      '# TYPE prime_load_scheduled_total counter',
      'prime_load_scheduled_total 3700',
      'prime_load_errors_per_second 9',
      'prime_load_latency_p50_seconds 0.002',
      'prime_load_answering 3',
      '# TYPE prime_load_errors_total counter',
      'prime_load_errors_total{code="-32005"} 40',
      'prime_load_errors_total{code="lost"} 3',
      'prime_load_workers 1',
      'prime_load_worker_sent_total{worker="worker 0"} 1900',
      String.raw`prime_load_worker_cpu_seconds_total{worker="a\\b\"c"} 1.25`,
    ])
      expect(text.split('\n')).toContain(line);
  });

  it('has a histogram whose buckets hold all that is not above them', () => {
    const lines = progressMetrics(progress).split('\n');
    const at = lines.indexOf('# TYPE prime_load_latency_seconds histogram');
    expect(lines.slice(at + 1).filter((line) => /le="(0.001|0.0025|0.05|0.1|\+Inf)"|_count/.test(line))).toEqual([
      'prime_load_latency_seconds_bucket{le="0.001"} 0',
      'prime_load_latency_seconds_bucket{le="0.0025"} 3',
      'prime_load_latency_seconds_bucket{le="0.05"} 3',
      'prime_load_latency_seconds_bucket{le="0.1"} 4',
      'prime_load_latency_seconds_bucket{le="+Inf"} 4',
      'prime_load_latency_seconds_count 4',
    ]);
    const sum = lines.find((line) => line.startsWith('prime_load_latency_seconds_sum'))!;
    expect(Number(sum.split(' ')[1])).toBeCloseTo(0.086, 3);
  });
});
