import type { Clock, EngineMetrics } from '@prime/engine';
import { type Block, headerHash } from '@prime/codec';
import { openMetrics } from '@prime/telemetry';
import type { Address } from '@prime/primitives';
import { createClockOffset } from '../consensus/clockOffset.ts';
import type { StandingTimes } from '../consensus/consensusStanding.ts';
import { nodeMetrics } from './metrics.ts';

/** The engine's counters, and what the newest block tells of the validators. */
export interface EngineCounters extends EngineMetrics {
  /** Who signed the block before the newest one, as that one says; null before the first block of this run. */
  readonly signers: ReadonlySet<Address> | null;
  readonly times: StandingTimes;
  /** What is there before the first block of this run. @param timestampMs of the newest block */
  begin(timestampMs: number, emptyBlockIntervalMs: number): void;
}

/** Heights of which the nodes of a network are compared, see `prime_consensus_checkpoint_fingerprint`. */
const checkpointBlocks = 100;
/** A gauge is a double: 48 bits of a hash are exact. */
const fingerprintOf = (hash: string): number => Number(hash.slice(0, 14));

/** Who is told that the clock of this machine is off. */
export interface ClockWatch {
  readonly self: () => Address | null;
  /** @param offsetMs above 0 when it is ahead; see clockOffset.ts */
  readonly onClockOff: (offsetMs: number) => void;
}

/** Counts into shared memory. */
export function createEngineMetrics(
  memory: SharedArrayBuffer,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
  { self, onClockOff }: ClockWatch = { self: () => null, onClockOff: () => undefined },
): EngineCounters {
  const metrics = openMetrics(nodeMetrics, memory);
  const steps = createStepTimes(metrics, clock);
  const offsets = createClockOffset(self);
  let last: number | null = null;
  let signers: ReadonlySet<Address> | null = null;
  let times: StandingTimes = { headMs: null, roundMs: null };
  const presence = createPresence(self);
  return {
    begin(timestampMs, emptyBlockIntervalMs) {
      metrics.set('prime_consensus_block_timestamp_seconds', timestampMs / 1000);
      metrics.set('prime_consensus_empty_block_interval_seconds', emptyBlockIntervalMs / 1000);
    },
    get signers() {
      return signers;
    },
    get times() {
      return times;
    },
    committed(block, round) {
      const now = clock.monotonicMs();
      if (last !== null) metrics.observe('prime_consensus_block_interval_seconds', (now - last) / 1000);
      last = now;
      const { timestampMs, height } = block.header;
      steps.committed(timestampMs);
      const nowMs = clock.nowMs();
      times = { headMs: nowMs, roundMs: null };
      metrics.set('prime_consensus_block_timestamp_seconds', timestampMs / 1000);
      metrics.set('prime_consensus_block_age_seconds', (nowMs - timestampMs) / 1000);
      if (height % checkpointBlocks === 0) {
        metrics.set('prime_consensus_checkpoint_height', height);
        metrics.set('prime_consensus_checkpoint_fingerprint', fingerprintOf(headerHash(block.header)));
      }
      if (presence.isMissed(block)) metrics.add('prime_validator_missed_blocks_total');
      const offset = offsets.committed(block, round, { nowMs, monotonicMs: now });
      if (offset !== null) metrics.set('prime_clock_offset_seconds', offset.offsetMs / 1000);
      if (offset?.warn === true) onClockOff(offset.offsetMs);
      if (round > 0) metrics.add('prime_consensus_late_decisions_total');
      if (block.lastCommit !== null) signers = new Set(block.lastCommit.signatures.map(({ validator }) => validator));
    },
    executed(block) {
      metrics.add('prime_consensus_transactions_total', block.transactions.length);
      metrics.add('prime_consensus_actions_total', block.actions.length);
      metrics.add('prime_consensus_evidence_total', block.evidence.length);
    },
    round(height, round) {
      presence.round(height);
      metrics.set('prime_consensus_round', round);
      metrics.add('prime_consensus_rounds_total');
      steps.round();
      times = { ...times, roundMs: clock.nowMs() };
    },
    voted: steps.voted,
    lateVote: () => metrics.add('prime_consensus_late_votes_total'),
    recovered(kind, recovered, known) {
      metrics.count('prime_signatures_recovered_total', kind, recovered);
      metrics.count('prime_signatures_known_total', kind, known);
    },
  };
}

/** Whether the own validator signed what was decided while it was there: who catches up later missed those blocks too, and everybody knows it by then. */
function createPresence(self: () => Address | null) {
  let entered: number | null = null;
  let wasThere = false;
  return {
    round(height: number): void {
      entered = height;
    },
    /** To be asked once for each block; about the one before it. */
    isMissed({ header: { height }, lastCommit }: Block): boolean {
      const own = self();
      const wasThereBefore = wasThere;
      wasThere = entered === height;
      return (
        wasThereBefore &&
        own !== null &&
        lastCommit !== null &&
        !lastCommit.signatures.some(({ validator }) => validator === own)
      );
    },
  };
}

type StepName = 'propose' | 'prevote' | 'precommit';

/** How long rounds and their steps take. A step ends with the own vote, so that a follower has rounds only. */
function createStepTimes(
  metrics: ReturnType<typeof openMetrics<typeof nodeMetrics>>,
  clock: Pick<Clock, 'nowMs' | 'monotonicMs'>,
) {
  let roundSince: number | null = null;
  let step: { readonly name: StepName; readonly since: number } | null = null;
  /** When the own precommit for a block was signed in this round, by the wall clock. */
  let polkaMs: number | null = null;

  const enter = (name: StepName | null, now: number): void => {
    if (step !== null) metrics.observeOf('prime_consensus_step_seconds', step.name, (now - step.since) / 1000);
    step = name === null ? null : { name, since: now };
  };
  const endRound = (now: number): void => {
    if (roundSince !== null) metrics.observe('prime_consensus_round_seconds', (now - roundSince) / 1000);
    roundSince = null;
    // Who votes in none of its steps has no steps.
    if (step?.name === 'propose') step = null;
    enter(null, now);
  };
  return {
    round(): void {
      const now = clock.monotonicMs();
      endRound(now);
      roundSince = now;
      step = { name: 'propose', since: now };
      polkaMs = null;
    },
    voted({ type, blockHash }: Parameters<EngineMetrics['voted']>[0]): void {
      enter(type === 'prevote' ? 'prevote' : 'precommit', clock.monotonicMs());
      if (type === 'precommit' && blockHash !== null) polkaMs = clock.nowMs();
    },
    committed(timestampMs: number): void {
      endRound(clock.monotonicMs());
      if (polkaMs !== null)
        metrics.observe('prime_consensus_quorum_prevote_delay_seconds', (polkaMs - timestampMs) / 1000);
      polkaMs = null;
    },
  };
}
