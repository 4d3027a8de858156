import { type RuleTable, type RoundState, tendermintRules } from '@prime/consensus';
import { noRound } from '@prime/primitives';

/** One damage each to the protocol, as someone might make by mistake. */
export interface Mutant {
  readonly name: string;
  readonly rules?: RuleTable;
  readonly skipSync?: boolean;
}

const unlocked = (state: RoundState): RoundState => ({ ...state, lockedRound: noRound, lockedValue: null });

export const mutants: readonly Mutant[] = [
  {
    name: 'the lock is dropped when a round begins',
    rules: { ...tendermintRules, newRound: (state, event) => tendermintRules.newRound(unlocked(state), event) },
  },
  {
    name: 'more than 1/3 is taken for a quorum',
    rules: { ...tendermintRules, isQuorum: (power, total) => 3n * power > total },
  },
  {
    name: 'exactly 2/3 is taken for a quorum, and a bit less',
    rules: { ...tendermintRules, isQuorum: (power, total) => 2n * power >= total },
  },
  {
    name: 'line 28 accepts a polka older than the lock',
    rules: {
      ...tendermintRules,
      proposalWithPriorPolka: (state, event) => tendermintRules.proposalWithPriorPolka(unlocked(state), event),
    },
  },
  {
    name: 'line 22 prevotes a new value in spite of a lock',
    rules: {
      ...tendermintRules,
      proposal: (state, event) => {
        const { state: next, output } = tendermintRules.proposal(unlocked(state), event);
        return { state: { ...state, step: next.step }, output };
      },
    },
  },
  {
    name: 'a proposal is precommitted without a polka',
    rules: {
      ...tendermintRules,
      proposal: (state, event) => ({
        state: { ...state, step: 'precommit', lockedRound: state.round, lockedValue: event.blockHash },
        output: { kind: 'vote', type: 'precommit', round: state.round, blockHash: event.blockHash },
      }),
    },
  },
  {
    name: 'line 28 prevotes nil for a value it may vote for',
    rules: {
      ...tendermintRules,
      proposalWithPriorPolka: (state, event) => {
        const { state: next, output } = tendermintRules.proposalWithPriorPolka(state, event);
        return output.kind === 'vote'
          ? { state: next, output: { ...output, blockHash: null } }
          : { state: next, output };
      },
    },
  },
  {
    name: 'rounds are never skipped and never end',
    rules: {
      ...tendermintRules,
      timeoutPrecommit: (state) => ({ state, output: { kind: 'refused' } }),
      skipRound: (state) => ({ state, output: { kind: 'refused' } }),
    },
  },
  { name: 'messages leave before the log is durable', skipSync: true },
];
