import { describe, expect, it } from '@jest/globals';
import { LatencyHistogram } from '../histogram.ts';
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
    for (const line of [
      '# TYPE prime_load_scheduled_total counter',
      'prime_load_scheduled_total 3700',
      'prime_load_errors_per_second 9',
      'prime_load_latency_p50_seconds 0.002',
      'prime_load_answering 3',
    ])
      expect(text.split('\n')).toContain(line);
  });
});
