import type {
  CommitCertificate,
  Evidence,
  Proposal,
  ValidatorSet,
  Vote,
  VoteCertificate,
  VoteType,
} from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { RoundState, RuleTable } from './rules.ts';

/**
 * What the consensus engine sees of the pure core. One machine decides one height; the engine makes the next one with the
 * next validator set. The machine has no clock, no keys and no I/O: timers, signing and fetching are effects whose results
 * come back as inputs, and the same inputs in the same order always give the same effects in the same order.
 */

/** Where in a round a validator is; the paper has `propose`, `prevote` and `precommit`. */
export type Step = RoundState['step'];

/** The steps that can time out; `rebroadcast` repeats what peers may have missed while a round lasts. */
export type TimeoutStep = 'propose' | 'prevote' | 'precommit' | 'rebroadcast';

/** A timeout that was scheduled. One that comes too late is ignored as `staleTimeout`. */
export interface Timeout {
  readonly height: Height;
  readonly round: Round;
  readonly step: TimeoutStep;
}

/**
 * Durations in ms: `step + delta * round`, at most {@link TimeoutConfig.capMs}. Local, not part of consensus. The rebroadcast
 * interval should not grow: what is repeated must arrive before the growing timeouts of the steps pass.
 */
export interface TimeoutConfig {
  readonly proposeMs: number;
  readonly proposeDeltaMs: number;
  readonly prevoteMs: number;
  readonly prevoteDeltaMs: number;
  readonly precommitMs: number;
  readonly precommitDeltaMs: number;
  readonly rebroadcastMs: number;
  readonly rebroadcastDeltaMs: number;
  readonly capMs: number;
}

/** Lock and valid value of Algorithm 1; goes into the sign-state record beside every signature. */
export interface LockState {
  /** -1 when nothing is locked. */
  readonly lockedRound: Round;
  readonly lockedValue: Hash | null;
  /** -1 when no polka was seen. */
  readonly validRound: Round;
  readonly validValue: Hash | null;
}

/**
 * What is known of a proposed block. `unknown`: body or check still missing, give the same proposal again later.
 * `untimely`: valid, but its time is not acceptable to this validator's clock (proposer-based time); not prevoted when it
 * is new, and treated as valid once more than 2/3 voted for it.
 */
export type Validity = 'valid' | 'untimely' | 'invalid' | 'unknown';

/** All that the machine can learn. What has a signature was verified before, so the machine checks none. */
export type Input =
  /** Begins round 0, or a later round after a restart without a log. Later rounds are entered by the machine itself. */
  | { readonly kind: 'startRound'; readonly round: Round }
  /** Signature verified; own proposals come back this way too. */
  | {
      readonly kind: 'proposal';
      readonly proposal: Proposal;
      readonly validity: Validity;
    }
  /** A block known and checked without a signed proposal of it (block sync); counts for deciding only. */
  | {
      readonly kind: 'value';
      readonly blockHash: Hash;
      readonly validity: 'valid' | 'invalid';
    }
  /** Signature verified; own votes come back this way too. */
  | { readonly kind: 'vote'; readonly vote: Vote }
  /** Votes with verified signatures, relayed by a peer: counted as if they had come one by one. */
  | { readonly kind: 'voteCertificate'; readonly votes: readonly Vote[] }
  /** Answer to `getValue`: the hash of a new block that this validator built. */
  | {
      readonly kind: 'ownValue';
      readonly round: Round;
      readonly blockHash: Hash;
    }
  /** Verified with `verifyCommitCertificate`. */
  | {
      readonly kind: 'commitCertificate';
      readonly certificate: CommitCertificate;
    }
  | { readonly kind: 'timeout'; readonly timeout: Timeout };

/** What the caller has to do, in order. Order is meaning: a later effect may rely on an earlier one. */
export type Effect =
  /** For logs, metrics and pacing. Always the first effect of a round. */
  | {
      readonly kind: 'enterRound';
      readonly round: Round;
      readonly proposer: Address;
    }
  | {
      readonly kind: 'scheduleTimeout';
      readonly timeout: Timeout;
      readonly afterMs: number;
    }
  /** Build a new block and answer with `ownValue`. Not emitted when a valid value is proposed again. */
  | { readonly kind: 'getValue'; readonly round: Round }
  /** Sign, make durable, broadcast, and give back as input `proposal` (with the validity of the block). */
  | {
      readonly kind: 'signProposal';
      readonly round: Round;
      readonly polRound: Round;
      readonly blockHash: Hash;
      readonly lock: LockState;
    }
  /** Sign, make durable, broadcast, and give back as input `vote`. */
  | {
      readonly kind: 'signVote';
      readonly type: VoteType;
      readonly round: Round;
      readonly blockHash: Hash | null;
      readonly lock: LockState;
    }
  /** Emitted once; afterwards the machine only collects precommits of the decided round. */
  | {
      readonly kind: 'decide';
      readonly round: Round;
      readonly blockHash: Hash;
      readonly certificate: CommitCertificate;
    }
  /** More than 2/3 voted for a block whose proposal (or validity) is not here: fetch it. Once per round, type and hash. */
  | {
      readonly kind: 'fetchProposal';
      readonly round: Round;
      readonly blockHash: Hash;
      readonly type: VoteType;
    }
  /** More than 2/3 committed a block that this validator finds invalid: stop the node, never fork. */
  | {
      readonly kind: 'invalidDecision';
      readonly round: Round;
      readonly blockHash: Hash;
    }
  /** Broadcast: a polka that peers may not know (hidden lock), or the votes that justify being in this round. */
  | { readonly kind: 'relayCertificate'; readonly certificate: VoteCertificate }
  /** Broadcast again: a proposal that goes with a relayed polka, or the own one of the current round. */
  | { readonly kind: 'relayProposal'; readonly proposal: Proposal }
  /** Broadcast these votes again: own ones, and of a round that lasts long also those of others. */
  | { readonly kind: 'rebroadcastVotes'; readonly votes: readonly Vote[] }
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  /** The input changed nothing; for metrics and for scoring peers. */
  | { readonly kind: 'ignored'; readonly reason: IgnoreReason };

/** Why an input changed nothing. None of them is an error of the machine; some speak against the peer that sent it. */
export type IgnoreReason =
  | 'otherHeight'
  | 'alreadyStarted'
  | 'unknownValidator'
  | 'notProposer'
  | 'malformedRound'
  /** Beyond the bound of rounds kept for this validator (current round + 2, plus one higher round for skipping). */
  | 'roundTooFar'
  | 'duplicate'
  /** Conflicting with one already counted; evidence is emitted the first time. */
  | 'equivocation'
  | 'staleTimeout'
  | 'staleValue'
  | 'decided'
  /** A commit certificate, already verified, that contradicts the decision: the chain has forked. */
  | 'conflictingCertificate';

/**
 * The round state of Algorithm 1, and what was decided. A decision is final; afterwards only late precommits are
 * counted.
 */
export interface ConsensusState extends RoundState {
  readonly decision: { readonly round: Round; readonly blockHash: Hash } | null;
}

/**
 * How a validator goes on whose log of this height is gone: with the lock of its newest signature, and in the round of it, which the input
 * `startRound` names. Of that round only its precommit is left to be cast, without which the others may never leave it: the one that it
 * signed, or nil where it signed none. It has forgotten proposals and prevotes, and nil is always safe.
 */
export interface Resumption {
  readonly lock: LockState;
  readonly precommit: Hash | null;
}

/** What one height begins with. Each height has a machine of its own. */
export interface ConsensusOptions {
  readonly validatorSet: ValidatorSet;
  readonly height: Height;
  /** Own validator address; null observes without voting. An address outside the set observes too. */
  readonly self: Address | null;
  readonly timeouts: TimeoutConfig;
  /** Where to go on when there is no log to replay: {@link Resumption}. */
  readonly resume?: Resumption;
  /** Transition rules; tests pass damaged ones to show that the simulator notices. */
  readonly rules?: RuleTable;
}

/** Consensus on one height as a pure state machine: inputs in, effects out, no clock and no randomness. */
export interface ConsensusMachine {
  readonly state: ConsensusState;
  readonly validatorSet: ValidatorSet;
  /** Advances by one input. Total: every input in every state is handled, or ignored with a reason. Never throws on inputs. */
  step(input: Input): readonly Effect[];
  proposer(round: Round): Address;
  /** Votes of a round in arrival order, for a peer that is behind. */
  votesFor(round: Round): readonly Vote[];
  /** Whether the place of a vote is taken, by itself or by another one of its validator: alone it can count no more. */
  isTaken(vote: Vote): boolean;
  /** Whether more than 2/3 voted so in this round, as far as was counted. */
  hasQuorum(type: VoteType, round: Round, value: Hash | null): boolean;
  /** Whether these votes prove a quorum that is not counted yet. */
  isNewQuorum(votes: readonly Vote[]): boolean;
  /** Proposals of a round in arrival order (more than one only from an equivocating proposer). */
  proposalsFor(round: Round): readonly Proposal[];
  /** Rounds of which votes or proposals are held, ascending. */
  rounds(): readonly Round[];
  /** The certificate with all precommits for the decided block that are here by now; null before the decision. */
  commitCertificate(): CommitCertificate | null;
  /** Inputs dropped so far by reason. */
  readonly dropped: Readonly<Partial<Record<IgnoreReason, number>>>;
}
