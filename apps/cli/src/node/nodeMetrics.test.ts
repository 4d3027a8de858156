import { describe, expect, it } from '@jest/globals';
import { readNodeMetrics } from './nodeMetrics.ts';

describe('metrics of a node', () => {
  it('tell what it takes of its machine, as far as they do', () => {
    const text =
      '# TYPE process_open_fds gauge\nprocess_open_fds 71\nprocess_resident_memory_bytes 1.5e+8\nprocess_max_fds 1024\n';
    expect(readNodeMetrics(text).resources).toEqual({
      residentBytes: 150_000_000,
      openFiles: 71,
      freeBytes: null,
      homeBytes: null,
    });
  });

  it('tell the offset of the clock; none before blocks were compared', () => {
    const offsetIn = (text: string): number | null => readNodeMetrics(text).clockOffsetSeconds;
    const metrics = (value: string): string =>
      `# TYPE prime_clock_offset_seconds gauge\nprime_clock_offset_seconds ${value}\n`;
    expect(['-0.125', '3', '1e-7', '0'].map((value) => offsetIn(metrics(value)))).toEqual([-0.125, 3, 1e-7, null]);
    expect(offsetIn('other 1\n')).toBeNull();
  });

  it('tell which markets have no fresh index, and how the own validator reports', () => {
    const text = [
      'prime_market_index_stale_seconds{market="1",symbol="A/B"} 0',
      'prime_market_index_stale_seconds{market="2",symbol="C/B"} 12.5',
      'prime_oracle_report_age_seconds 1.5',
      'prime_oracle_minutes 9',
      'prime_oracle_reported_minutes 4',
    ].join('\n');
    expect(readNodeMetrics(text).prices).toEqual({
      markets: [
        { symbol: 'A/B', staleSeconds: 0 },
        { symbol: 'C/B', staleSeconds: 12.5 },
      ],
      own: { silentSeconds: 1.5, minutes: 9, reportedMinutes: 4 },
    });
    expect(readNodeMetrics('').prices).toEqual({ markets: [], own: null });
  });
});
