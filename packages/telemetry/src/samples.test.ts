import { describe, expect, it } from '@jest/globals';
import { parseSamples } from './samples.ts';

const text = `# HELP blocks_total Blocks.
# TYPE blocks_total counter
blocks_total 7
sync_seconds_sum{file="log"} 0.25
sync_seconds_sum{file="blocks"} 0.5
sync_seconds_bucket{file="log",le="+Inf"} 3
lines_total{level="warn",thread="a \\"b\\" \\\\ c"} 8 1700000000000
offset_seconds -1.5e-3
endless +Inf
blocks_total_more 9
not a sample
`;

describe('samples of a text of Prometheus', () => {
  const samples = parseSamples(text);

  it('are found by name and labels', () => {
    expect(samples.value('blocks_total')).toBe(7);
    expect(samples.value('offset_seconds')).toBe(-0.0015);
    expect(samples.value('endless')).toBe(Number.POSITIVE_INFINITY);
    expect(samples.value('lines_total', { level: 'warn' })).toBe(8);
    expect(samples.value('sync_seconds_bucket', { file: 'log', le: '+Inf' })).toBe(3);
  });

  it('are null where nothing fits: a name that only begins alike, another label', () => {
    expect([samples.value('blocks'), samples.value('locks_total'), samples.value('not')]).toEqual([null, null, null]);
    expect(samples.value('sync_seconds_sum', { file: 'sign_state' })).toBeNull();
    expect(samples.value('blocks_total', { file: 'log' })).toBeNull();
  });

  it('are told by the values of a label, escaped ones too, and summed up', () => {
    expect(samples.by('sync_seconds_sum', 'file')).toEqual({ log: 0.25, blocks: 0.5 });
    expect(samples.by('lines_total', 'thread')).toEqual({ 'a "b" \\ c': 8 });
    expect(samples.by('blocks_total', 'file')).toEqual({});
    expect([samples.sum('sync_seconds_sum'), samples.sum('nothing')]).toEqual([0.75, 0]);
  });
});
