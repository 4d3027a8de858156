import { expect, it } from '@jest/globals';
import type { Block } from '@prime/codec';
import type { Hash, Height, Round } from '@prime/primitives';
import { allocateMetrics, readMetrics } from '@prime/telemetry';
import { createEngineMetrics } from './engineMetrics.ts';
import { nodeMetrics } from './metrics.ts';

/** Counters with clocks that are moved by hand; the wall clock is 1 000 000 ms ahead of the other one. */
function counted() {
  const memory = allocateMetrics(nodeMetrics);
  let now = 0;
  const counters = createEngineMetrics(memory, { monotonicMs: () => now, nowMs: () => 1_000_000 + now });
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
  counters.committed(block(1, [{}, {}, {}]), round(0));
  expect(value('prime_consensus_late_votes_total')).toBe(2);
  expect(value('prime_consensus_evidence_total')).toBe(3);
});
