import { describe, expect, it } from '@jest/globals';
import { parseSample } from './nodeSample.ts';

const metrics = `# TYPE prime_consensus_height gauge
prime_consensus_height 42
prime_thread_cpu_seconds_total{thread="evm"} 1.5
prime_thread_cpu_seconds_total{thread="other"} 0.25
prime_disk_sync_seconds_sum{file="log"} 0.5
prime_disk_sync_seconds_count{file="log"} 84
`;

describe('parseSample', () => {
  it('reads height, processor time and syncs', () => {
    expect(parseSample(metrics)).toEqual({
      height: 42,
      cpuMs: { evm: 1500, other: 250 },
      syncs: { log: 84 },
      syncMs: { log: 500 },
    });
  });

  it('does not take a node that lacks them for one that costs nothing', () => {
    expect(() => parseSample(metrics.replaceAll('prime_disk_sync_seconds_count', 'other'))).toThrow(
      'prime_disk_sync_seconds_count',
    );
    expect(() => parseSample('')).toThrow('height');
  });
});
