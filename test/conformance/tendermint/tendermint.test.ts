import { describe, expect, it } from '@jest/globals';
import { applyRule, createVoteKeeper, type RoundState, tendermintRules } from '@prime/consensus';
import type { Round } from '@prime/primitives';
import { type Itf, readTrace, traceNames, type Variant } from './itf.ts';
import { compareRound, replayDistributed, type TraceBookkeeper } from './replay.ts';
import {
  createNames,
  fromOutput,
  toEvent,
  toRoundState,
  type TraceConsensusState,
  type TraceVote,
} from './vocabulary.ts';

const names = traceNames();
if (names === null)
  console.warn(
    'SKIPPED: Tendermint conformance. The traces (../shared/vectors/tendermint-itf) are not beside this repository.',
  );

const namesWith = (prefix: string, isWith = true): string[] =>
  (names ?? []).filter((name) => name.startsWith(prefix) === isWith);
const singles = namesWith('con_');
const keepers = namesWith('votekeeper');
const distributed = (names ?? []).filter((name) => !singles.includes(name) && !keepers.includes(name));

const suite = names === null ? describe.skip : describe;

suite('Tendermint conformance', () => {
  it('finds traces of all three kinds', () => {
    expect([singles.length, keepers.length > 0, distributed.length > 0]).toEqual([2, true, true]);
  });

  describe('rules of one validator: same output and state after every step', () => {
    it.each(singles)('%s', (name) => {
      const states = readTrace(name);
      let state: RoundState = toRoundState(states[0]!['state'] as unknown as TraceConsensusState);
      for (const [index, next] of states.entries()) {
        if (index === 0) continue;
        const { p } = next['state'] as unknown as { p: string };
        const transition = applyRule(tendermintRules, state, toEvent(next['input'] as unknown as Variant));
        expect([index, fromOutput(transition.output, state, p)]).toEqual([index, next['output']]);
        state = transition.state;
        expect([index, state]).toEqual([index, toRoundState(next['state'] as unknown as TraceConsensusState)]);
      }
      expect(states.length).toBeGreaterThan(2);
    });
  });

  describe('vote keeper: same counts and same thresholds after every vote', () => {
    it.each(keepers)('%s', (name) => {
      expect(replayKeeper(readTrace(name))).toBe(readTrace(name).length - 1);
    });
  });

  describe('several validators: same outputs and states after every step', () => {
    it.each(distributed)('%s', (name) => {
      const report = replayDistributed(readTrace(name));
      console.info(
        `${name}: ${report.steps} steps, ${report.clauses} clauses, ${report.machineComparisons} machine states`,
      );
      expect(report.steps).toBeGreaterThan(5);
      expect(report.clauses).toBeGreaterThan(3);
      expect(report.machineComparisons).toBeGreaterThan(3);
      const first = [...report.decisions.values()].map((values) => values[0]).filter((value) => value !== undefined);
      // Two of four validators are faulty there: more than a third can break safety, and the replay must show it.
      if (name.startsWith('disagreement')) expect(new Set(first).size).toBe(2);
      else expect(new Set(first).size).toBeLessThanOrEqual(1);
    });
  });
});

/** @returns the number of votes replayed */
function replayKeeper(states: readonly Record<string, Itf>[]): number {
  if (states[0]!['bookkeeper'] === undefined) return 0;
  const first = states[0]!['bookkeeper'] as unknown as { height: number; validatorSet: Map<string, number> };
  const trace = createNames(first.validatorSet);
  const keeper = createVoteKeeper({
    height: first.height as RoundState['height'],
    validatorSet: trace.validatorSet,
    rules: tendermintRules,
  });
  const emitted = new Set<string>();
  for (const [index, state] of states.entries()) {
    if (index === 0) continue;
    const [vote, , currentRound] = (state['weightedVote'] as unknown as Variant<[TraceVote, number, number]>).value;
    const ours = trace.vote(vote);
    keeper.add(ours, currentRound as Round);
    const isSkip = ours.round > currentRound && keeper.skipTarget(currentRound as Round) === ours.round;
    const [kind, any] = ours.type === 'prevote' ? ['Polka', 'PolkaAny'] : ['Precommit', 'PrecommitAny'];
    const hasValue = keeper.hasQuorum(ours.type, ours.round, ours.blockHash);
    let threshold: Variant = { tag: 'NoVKOutput', value: [] };
    if (isSkip) threshold = { tag: 'SkipVKOutput', value: ours.round };
    else if (hasValue && ours.blockHash !== null)
      threshold = { tag: `${kind}ValueVKOutput`, value: [ours.round, vote.valueId.value] };
    else if (hasValue && ours.type === 'prevote') threshold = { tag: 'PolkaNilVKOutput', value: ours.round };
    else if (keeper.hasAnyQuorum(ours.type, ours.round)) threshold = { tag: `${any}VKOutput`, value: ours.round };
    // Each threshold is reported once there; here it simply keeps holding.
    const key = JSON.stringify(threshold);
    expect([index, emitted.has(key) ? { tag: 'NoVKOutput', value: [] } : threshold]).toEqual([
      index,
      state['lastEmitted'],
    ]);
    emitted.add(key);
    const { rounds } = state['bookkeeper'] as unknown as TraceBookkeeper;
    for (const [round, counts] of rounds) compareRound(keeper, trace, round as Round, counts);
  }
  return states.length - 1;
}
