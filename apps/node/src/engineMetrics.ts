import type { EngineMetrics } from '@prime/engine';
import { openMetrics } from '@prime/telemetry';
import { nodeMetrics } from './metrics.ts';

/** The engine's counters, written to shared memory. */
export function createEngineMetrics(memory: SharedArrayBuffer): EngineMetrics {
  const metrics = openMetrics(nodeMetrics, memory);
  let last: number | null = null;
  return {
    committed(block, round) {
      const now = performance.now();
      if (last !== null) metrics.observe('prime_consensus_block_interval_seconds', (now - last) / 1000);
      last = now;
      metrics.set('prime_consensus_height', block.header.height);
      metrics.add('prime_consensus_transactions_total', block.transactions.length);
      metrics.add('prime_consensus_actions_total', block.actions.length);
      if (round > 0) metrics.add('prime_consensus_late_decisions_total');
    },
    round(_height, round) {
      metrics.set('prime_consensus_round', round);
      metrics.add('prime_consensus_rounds_total');
    },
  };
}
