import { expect, it } from '@jest/globals';
import { type Block, type Header, headerHash } from '@prime/codec';
import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';
import { allocateMetrics, readMetrics } from '@prime/telemetry';
import { createEngineMetrics } from './engineMetrics.ts';
import { nodeMetrics } from './metrics.ts';

/** Counters with clocks that are moved by hand; the wall clock is 1 000 000 ms ahead of the other one. */
function counted(self: Address | null = null) {
  const memory = allocateMetrics(nodeMetrics);
  let now = 0;
  const clock = { monotonicMs: () => now, nowMs: () => 1_000_000 + now };
  const counters = createEngineMetrics(memory, clock, { self: () => self, onClockOff: () => undefined });
  const read = (name: keyof typeof nodeMetrics) => readMetrics(nodeMetrics, memory).find((each) => each.name === name)!;
  return {
    counters,
    at(ms: number) {
      now = ms;
      return counters;
    },
    /** Observations and their sum in ms. */
    histogram(name: keyof typeof nodeMetrics): [number, number] {
      const reading = read(name);
      if (reading.type !== 'histogram') throw new Error(`${name} is no histogram`);
      return [reading.buckets.at(-1)![1], Math.round(reading.sum * 1000)];
    },
    steps(): Record<string, [number, number]> {
      const reading = read('prime_consensus_step_seconds');
      if (reading.type !== 'histograms') throw new Error('steps are no histograms');
      return Object.fromEntries(
        reading.series.map(([step, { buckets, sum }]) => [step, [buckets.at(-1)![1], Math.round(sum * 1000)]]),
      );
    },
    byLabel(name: keyof typeof nodeMetrics): Record<string, number> {
      const reading = read(name);
      if (reading.type !== 'counters') throw new Error(`${name} has no labels`);
      return Object.fromEntries(reading.counts);
    },
    value(name: keyof typeof nodeMetrics): number {
      const reading = read(name);
      if (reading.type !== 'counter' && reading.type !== 'gauge') throw new Error(`${name} has no value`);
      return reading.value;
    },
  };
}

const round = (value: number): Round => value as Round;
const height = 7 as Height;
const blockHash = `0x${'11'.repeat(32)}` as Hash;
const block = (timestampMs: number, evidence: readonly unknown[] = []): Block =>
  ({ header: { height, timestampMs }, transactions: [], actions: [], evidence, lastCommit: null }) as unknown as Block;

it('the steps of a round end with the own votes and the commit', () => {
  const { at, steps, histogram } = counted();
  at(100).round(height, round(0));
  at(103).voted({ type: 'prevote', blockHash });
  at(110).voted({ type: 'precommit', blockHash });
  at(130).committed(block(1_000_098), round(0));
  expect(steps()).toEqual({ propose: [1, 3], prevote: [1, 7], precommit: [1, 20] });
  expect(histogram('prime_consensus_round_seconds')).toEqual([1, 30]);
  // From the timestamp, 98, to the precommit, 110.
  expect(histogram('prime_consensus_quorum_prevote_delay_seconds')).toEqual([1, 12]);
});

it('a round that fails ends with the next one, and its precommit for nothing is no quorum', () => {
  const { at, steps, histogram } = counted();
  at(0).round(height, round(0));
  at(50).voted({ type: 'prevote', blockHash: null });
  at(80).voted({ type: 'precommit', blockHash: null });
  at(100).round(height, round(1));
  at(104).voted({ type: 'prevote', blockHash });
  at(109).voted({ type: 'precommit', blockHash });
  at(115).committed(block(1_000_101), round(1));
  expect(steps()).toEqual({ propose: [2, 54], prevote: [2, 35], precommit: [2, 26] });
  expect(histogram('prime_consensus_round_seconds')).toEqual([2, 115]);
  expect(histogram('prime_consensus_quorum_prevote_delay_seconds')).toEqual([1, 8]);
});

it('a follower has rounds and no steps', () => {
  const { at, steps, histogram } = counted();
  at(0).round(height, round(0));
  at(40).round(height, round(1));
  at(60).committed(block(1_000_041), round(1));
  expect(steps()).toEqual({ propose: [0, 0], prevote: [0, 0], precommit: [0, 0] });
  expect(histogram('prime_consensus_round_seconds')).toEqual([2, 60]);
  expect(histogram('prime_consensus_quorum_prevote_delay_seconds')).toEqual([0, 0]);
});

it('late votes and evidence are counted', () => {
  const { counters, value } = counted();
  counters.lateVote();
  counters.lateVote();
  counters.executed(block(1, [{}, {}, {}]));
  expect(value('prime_consensus_late_votes_total')).toBe(2);
  expect(value('prime_consensus_evidence_total')).toBe(3);
});

it('signatures that were recovered and those that were known are counted by kind', () => {
  const { counters, byLabel } = counted();
  counters.recovered('transactions', 3, 1);
  counters.recovered('transactions', 0, 2);
  counters.recovered('actions', 5, 0);
  expect(byLabel('prime_signatures_recovered_total')).toEqual({ transactions: 3, actions: 5 });
  expect(byLabel('prime_signatures_known_total')).toEqual({ transactions: 3, actions: 0 });
});

it('the time of the newest block is known before the first one of this run', () => {
  const { at, value } = counted();
  at(0).begin(999_000, 1_500);
  expect(value('prime_consensus_block_timestamp_seconds')).toBe(999);
  expect(value('prime_consensus_empty_block_interval_seconds')).toBe(1.5);
  at(10).committed(block(1_000_250), round(0));
  expect(value('prime_consensus_block_timestamp_seconds')).toBe(1000.25);
});

const own = `0x${'01'.repeat(20)}` as Address;
const other = `0x${'02'.repeat(20)}` as Address;
const after = (at: number, signers: readonly Address[]): Block =>
  ({
    ...block(0),
    header: { height: at, timestampMs: 0 },
    lastCommit: { signatures: signers.map((validator) => ({ validator })) },
  }) as unknown as Block;

it('a block that was decided here without the own signature is missed; one that was fetched later is not', () => {
  const { counters, value } = counted(own);
  const missed = (): number => value('prime_validator_missed_blocks_total');
  // Of block 6 nothing was seen.
  counters.round(7 as Height, round(0));
  counters.committed(after(7, [other]), round(0));
  expect(missed()).toBe(0);
  counters.round(8 as Height, round(0));
  counters.committed(after(8, [other, own]), round(0));
  expect(missed()).toBe(0);
  counters.round(9 as Height, round(0));
  counters.committed(after(9, [other]), round(0));
  expect(missed()).toBe(1);
  // 10 and 11 are fetched, without a round of their own: that of 9 is known by 10.
  counters.committed(after(10, [other]), round(0));
  expect(missed()).toBe(2);
  counters.committed(after(11, [other]), round(0));
  counters.committed(after(12, [other]), round(0));
  expect(missed()).toBe(2);
});

it('a node without a validator misses nothing', () => {
  const { counters, value } = counted();
  for (const at of [7, 8, 9]) {
    counters.round(at as Height, round(0));
    counters.committed(after(at, [other]), round(0));
  }
  expect(value('prime_validator_missed_blocks_total')).toBe(0);
});

it('a hundredth block is a checkpoint, told by the first bytes of its hash', () => {
  const { counters, value } = counted();
  const zero = `0x${'00'.repeat(32)}` as Hash;
  const header = (at: number): Header => ({
    version: 1,
    chainId: 7,
    height: at as Height,
    timestampMs: 1 as TimestampMs,
    parentHash: zero,
    proposer: own,
    validatorsHash: zero,
    nextValidatorsHash: zero,
    bodyRoot: zero,
    lastCommitHash: zero,
    evidenceHash: zero,
    gasLimit: 1n,
    baseFee: 1n,
    parentResults: { stateRoot: zero, receiptsRoot: zero, eventsRoot: zero, gasUsed: 0n },
  });
  for (const at of [199, 200, 201]) counters.committed({ ...block(1), header: header(at) }, round(0));
  expect(value('prime_consensus_checkpoint_height')).toBe(200);
  expect(value('prime_consensus_checkpoint_fingerprint')).toBe(parseInt(headerHash(header(200)).slice(2, 14), 16));
});
