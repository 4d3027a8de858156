import type { Clock, EngineMetrics } from '@prime/engine';
import { openMetrics } from '@prime/telemetry';
import type { Address } from '@prime/primitives';
import { nodeMetrics } from './metrics.ts';

/** The engine's counters, and what the newest block tells of the validators. */
export interface EngineCounters extends EngineMetrics {
  /** Who signed the block before the newest one, as that one says; null before the first block of this run. */
  readonly signers: ReadonlySet<Address> | null;
}

/** Counts into shared memory. */
export function createEngineMetrics(memory: SharedArrayBuffer, clock: Pick<Clock, 'nowMs'>): EngineCounters {
  const metrics = openMetrics(nodeMetrics, memory);
  let last: number | null = null;
  let signers: ReadonlySet<Address> | null = null;
  return {
    get signers() {
      return signers;
    },
    committed(block, round) {
      const now = performance.now();
      if (last !== null) metrics.observe('prime_consensus_block_interval_seconds', (now - last) / 1000);
      last = now;
      const { height, timestampMs } = block.header;
      metrics.set('prime_consensus_height', height);
      metrics.set('prime_consensus_block_age_seconds', (clock.nowMs() - timestampMs) / 1000);
      metrics.add('prime_consensus_transactions_total', block.transactions.length);
      metrics.add('prime_consensus_actions_total', block.actions.length);
      if (round > 0) metrics.add('prime_consensus_late_decisions_total');
      if (block.lastCommit !== null) signers = new Set(block.lastCommit.signatures.map(({ validator }) => validator));
    },
    round(_height, round) {
      metrics.set('prime_consensus_round', round);
      metrics.add('prime_consensus_rounds_total');
    },
  };
}
