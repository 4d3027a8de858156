import { isQuorum, isSkipQuorum, type VoteType } from '@prime/codec';
import { type Hash, type Height, noRound, type Round } from '@prime/primitives';

/**
 * Algorithm 1 of arXiv 1807.04938 as a table of pure functions, one for each `upon` clause.
 *
 * The table answers what happens when the condition of a clause holds; whether it holds (quorums, known proposals, first
 * time) is the driver's part. So a clause can be read beside the paper, replayed from traces made by another
 * implementation, and damaged in a test to see that the simulator notices.
 */

/** The variables of Algorithm 1, line 1 ff.: what a validator remembers within a height. */
export interface RoundState {
  readonly height: Height;
  /** -1 before the first round. */
  readonly round: Round;
  /** `newRound` is between two rounds: entered by skipping, left by starting the next round. */
  readonly step: 'newRound' | 'propose' | 'prevote' | 'precommit' | 'decided';
  readonly lockedRound: Round;
  readonly lockedValue: Hash | null;
  readonly validRound: Round;
  readonly validValue: Hash | null;
}

/** Conditions of the `upon` clauses. Whoever gives one to a rule says that it holds. */
export type RoundEvent =
  | {
      readonly kind: 'newRound';
      readonly round: Round;
      readonly isProposer: boolean;
    }
  | { readonly kind: 'ownValue'; readonly blockHash: Hash }
  | { readonly kind: 'proposal'; readonly blockHash: Hash }
  | { readonly kind: 'invalidProposal' }
  | {
      readonly kind: 'proposalWithPriorPolka';
      readonly blockHash: Hash;
      readonly polRound: Round;
    }
  | { readonly kind: 'invalidProposalWithPriorPolka' }
  | { readonly kind: 'polkaAny' }
  | { readonly kind: 'proposalWithPolka'; readonly blockHash: Hash }
  | { readonly kind: 'polkaNil' }
  | { readonly kind: 'precommitAny' }
  | {
      readonly kind: 'proposalWithCommit';
      readonly round: Round;
      readonly blockHash: Hash;
    }
  | { readonly kind: 'skipRound'; readonly round: Round }
  | TimeoutEvent<'timeoutPropose'>
  | TimeoutEvent<'timeoutPrevote'>
  | TimeoutEvent<'timeoutPrecommit'>;

interface TimeoutEvent<Kind extends string> {
  readonly kind: Kind;
  readonly height: Height;
  readonly round: Round;
}

/** What a clause asks for, at most one thing; lines of the paper stand at the rules. */
export type RoundOutput =
  | { readonly kind: 'none' }
  /** The clause's guard on the round state does not hold; the state is unchanged. */
  | { readonly kind: 'refused' }
  /** Ask for a new block and start the propose timeout. */
  | { readonly kind: 'getValue'; readonly round: Round }
  | {
      readonly kind: 'proposal';
      readonly round: Round;
      readonly polRound: Round;
      readonly blockHash: Hash;
    }
  | {
      readonly kind: 'vote';
      readonly type: VoteType;
      readonly round: Round;
      readonly blockHash: Hash | null;
    }
  | {
      readonly kind: 'timeout';
      readonly step: 'propose' | 'prevote' | 'precommit';
      readonly round: Round;
    }
  | { readonly kind: 'skip'; readonly round: Round }
  | {
      readonly kind: 'decide';
      readonly round: Round;
      readonly blockHash: Hash;
    };

/** The state after a clause, and what is to be done then. */
export interface Transition {
  readonly state: RoundState;
  readonly output: RoundOutput;
}

/** One pure function for each kind of {@link RoundEvent}. */
export type RoundRules = {
  readonly [Kind in RoundEvent['kind']]: (
    state: RoundState,
    event: Extract<RoundEvent, { readonly kind: Kind }>,
  ) => Transition;
};

/** Everything of the protocol that a test may replace. */
export interface RuleTable extends RoundRules {
  isQuorum(power: bigint, total: bigint): boolean;
  isSkipQuorum(power: bigint, total: bigint): boolean;
}

/** State before the first round of a height. */
export const initialRoundState = (height: Height): RoundState => ({
  height,
  round: noRound,
  step: 'newRound',
  lockedRound: noRound,
  lockedValue: null,
  validRound: noRound,
  validValue: null,
});

const refused = (state: RoundState): Transition => ({ state, output: { kind: 'refused' } });

const propose = (state: RoundState, blockHash: Hash): Transition => ({
  state,
  output: { kind: 'proposal', round: state.round, polRound: state.validRound, blockHash },
});

const vote = (state: RoundState, type: VoteType, blockHash: Hash | null): Transition => ({
  state: { ...state, step: type },
  output: { kind: 'vote', type, round: state.round, blockHash },
});
const prevote = (state: RoundState, blockHash: Hash | null): Transition => vote(state, 'prevote', blockHash);
const precommit = (state: RoundState, blockHash: Hash | null): Transition => vote(state, 'precommit', blockHash);

const wait = (state: RoundState, step: 'propose' | 'prevote' | 'precommit'): Transition => ({
  state,
  output: { kind: 'timeout', step, round: state.round },
});

const skip = (state: RoundState, round: Round): Transition => ({
  state: { ...state, step: 'newRound' },
  output: { kind: 'skip', round },
});

const isCurrent = (state: RoundState, event: { readonly height: Height; readonly round: Round }): boolean =>
  event.height === state.height && event.round === state.round;

/** The paper's rules. The numbers are its lines. */
export const tendermintRules: RuleTable = {
  isQuorum,
  isSkipQuorum,

  // 11-21 StartRound: the proposer proposes its valid value again or asks for a new one, the others wait for it.
  newRound(state, event) {
    if (state.step !== 'newRound' || event.round <= state.round) return refused(state);
    const next: RoundState = { ...state, round: event.round, step: 'propose' };
    if (!event.isProposer) return wait(next, 'propose'); // 21
    if (state.validValue === null) return { state: next, output: { kind: 'getValue', round: event.round } }; // 18
    return propose(next, state.validValue); // 16, 19
  },

  // 18-19, second half: getValue is asynchronous here.
  ownValue: (state, event) => (state.step === 'propose' ? propose(state, event.blockHash) : refused(state)),

  // 22 a new value, valid(v) already known to be true.
  proposal(state, event) {
    if (state.step !== 'propose') return refused(state);
    const mayVote = state.lockedRound === noRound || state.lockedValue === event.blockHash; // 23
    return prevote(state, mayVote ? event.blockHash : null); // 24, 26
  },

  // 22 with valid(v) false.
  invalidProposal: (state) => (state.step === 'propose' ? prevote(state, null) : refused(state)), // 26

  // 28 a value that had a polka in an earlier round of this height.
  proposalWithPriorPolka(state, event) {
    if (state.step !== 'propose' || event.polRound < 0 || event.polRound >= state.round) return refused(state);
    const mayVote = state.lockedRound <= event.polRound || state.lockedValue === event.blockHash; // 29
    return prevote(state, mayVote ? event.blockHash : null); // 30, 32
  },

  // 28 with valid(v) false.
  invalidProposalWithPriorPolka: (state) => (state.step === 'propose' ? prevote(state, null) : refused(state)), // 32

  // 34 more than 2/3 prevoted, for whatever; a precommit stands for the prevote before it.
  polkaAny: (state) => (state.step === 'prevote' ? wait(state, 'prevote') : refused(state)), // 35

  // 36 the proposal of this round has a polka.
  proposalWithPolka(state, event) {
    if (state.step !== 'prevote' && state.step !== 'precommit') return refused(state);
    const valid: RoundState = {
      ...state,
      validValue: event.blockHash,
      validRound: state.round,
    }; // 42-43
    if (state.step === 'precommit') return { state: valid, output: { kind: 'none' } };
    return precommit({ ...valid, lockedValue: event.blockHash, lockedRound: state.round }, event.blockHash); // 37-41
  },

  // 44 more than 2/3 prevoted nil.
  polkaNil: (state) => (state.step === 'prevote' ? precommit(state, null) : refused(state)), // 45-46

  // 47 more than 2/3 precommitted, for whatever.
  precommitAny: (state) => wait(state, 'precommit'), // 48

  // 49 the proposal of any round has more than 2/3 precommits of that round.
  proposalWithCommit(state, event) {
    if (state.step === 'decided') return refused(state);
    return {
      state: { ...state, step: 'decided' },
      output: {
        kind: 'decide',
        round: event.round,
        blockHash: event.blockHash,
      }, // 51
    };
  },

  // 55 more than 1/3 sent something of a later round.
  skipRound: (state, event) => (event.round > state.round ? skip(state, event.round) : refused(state)), // 56

  // 57 OnTimeoutPropose
  timeoutPropose: (state, event) =>
    isCurrent(state, event) && state.step === 'propose' ? prevote(state, null) : refused(state), // 58-60

  // 61 OnTimeoutPrevote
  timeoutPrevote: (state, event) =>
    isCurrent(state, event) && state.step === 'prevote' ? precommit(state, null) : refused(state), // 62-64

  // 65 OnTimeoutPrecommit
  timeoutPrecommit: (state, event) =>
    isCurrent(state, event) ? skip(state, (state.round + 1) as Round) : refused(state), // 67
};

/** Applies one event through a rule table. */
export function applyRule(rules: RoundRules, state: RoundState, event: RoundEvent): Transition {
  const rule = rules[event.kind] as (state: RoundState, event: RoundEvent) => Transition;
  return rule(state, event);
}
