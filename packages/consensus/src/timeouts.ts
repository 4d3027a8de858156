import type { Round } from '@prime/primitives';
import type { TimeoutConfig, TimeoutStep } from './api.ts';

/** For validators a fraction of a millisecond apart; docs/protocol/consensus.md, section 5. */
export const lanTimeouts: TimeoutConfig = {
  proposeMs: 400,
  proposeDeltaMs: 200,
  prevoteMs: 150,
  prevoteDeltaMs: 100,
  precommitMs: 150,
  precommitDeltaMs: 100,
  rebroadcastMs: 500,
  rebroadcastDeltaMs: 0,
  capMs: 60_000,
};

/** For validators on different continents. */
export const wanTimeouts: TimeoutConfig = {
  proposeMs: 1_500,
  proposeDeltaMs: 500,
  prevoteMs: 500,
  prevoteDeltaMs: 250,
  precommitMs: 500,
  precommitDeltaMs: 250,
  rebroadcastMs: 2_000,
  rebroadcastDeltaMs: 0,
  capMs: 60_000,
};

/**
 * How long a step of a round may take, ms. Grows with the round, because progress is only certain once timeouts exceed the
 * unknown bound on message delay; capped, because nobody waits for an hour.
 */
export function timeoutMs(config: TimeoutConfig, step: TimeoutStep, round: Round): number {
  const later = Math.max(0, round);
  return Math.min(config.capMs, config[`${step}Ms`] + config[`${step}DeltaMs`] * later);
}
