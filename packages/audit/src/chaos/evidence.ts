/** What a run leaves behind to be judged: plain data, so that a verdict can be given again, and on planted data in tests. */
import type { ChainView } from '../chainViews.ts';

/** All that one node said after the run. */
export interface NodeView extends ChainView {
  /** Wei of the account that holds the order book's collateral. */
  readonly escrow: bigint;
  /** Wei that all accounts of the order book hold together: collateral and what was paid for positions. */
  readonly held: bigint;
  /** Who is registered, with stake, power and status, in a fixed order. */
  readonly registered: readonly string[];
}

/** A write that a validator confirmed with a receipt or a result of its block. */
export interface AcknowledgedWrite {
  readonly kind: 'transfer' | 'order' | 'cancel' | 'cancelAll' | 'deposit' | 'withdrawal' | 'trade';
  /** Transaction hash, order id or account: what it is found by. */
  readonly id: string;
  readonly words: string;
}

/** What a validator says about an acknowledged write; null when it is there as it was confirmed. */
export interface WriteClaim {
  readonly validator: number;
  readonly write: AcknowledgedWrite;
  readonly problem: string | null;
}

/** Messages of consensus that a validator signs, one of each kind in a round. */
export type SignedStep = 'proposal' | 'prevote' | 'precommit';

/** A signature that was found in a log, a sign state or a certificate. */
export interface SignatureRecord {
  /** Address of the validator. */
  readonly signer: string;
  readonly height: number;
  readonly round: number;
  readonly step: SignedStep;
  /** Block hash, or what else tells two messages apart; `nil` for a vote for no block. */
  readonly value: string;
  readonly source: string;
}

/** The end of a process. */
export interface ProcessEnd {
  readonly validator: number;
  readonly atMs: number;
  readonly code: number | null;
  readonly signal: string | null;
  /** Codes and signals with which it may end here; none when it should not end at all. */
  readonly expected: readonly (number | string)[];
  readonly words: string;
}

/** What a phase of faults promises: blocks go on, none can be decided, or neither is said. */
export const phasePromises = ['live', 'halt', 'safe'] as const;
/** One of {@link phasePromises}: what a verdict holds a phase to. */
export type PhasePromise = (typeof phasePromises)[number];

/** What a phase was like. */
export interface PhaseOutcome {
  readonly name: string;
  readonly promise: PhasePromise;
  /** When the first of its faults was begun, and when they were begun to be undone. */
  readonly startedMs: number;
  readonly healedMs: number;
  readonly holdMs: number;
  /** Highest head among the validators when the faults were in place, and just before they were healed. */
  readonly headBefore: number;
  readonly headAfter: number;
  /** Longest time without a new block while the faults were in place. */
  readonly longestStallMs: number;
  /** Decided by validators that were cut off from a majority; 0 where nobody was. */
  readonly blocksOfMinority: number;
  /** From healing until all validators committed a block that is new since. Null: not before the deadline. */
  readonly recoveryMs: number | null;
  readonly recoveryMsMax: number;
  readonly stallMsMax: number;
}

/** Resident memory of one validator's process at one moment, bytes; times are ms since the run began. */
export interface MemorySample {
  readonly validator: number;
  /** Of one process: a validator that was restarted is another one. */
  readonly pid: number;
  readonly atMs: number;
  readonly rssBytes: number;
}

/** Something that should not be, at a moment. */
export interface Complaint {
  readonly validator: number;
  readonly atMs: number;
  readonly words: string;
}

/** All that the verdict of a chaos run is made from. Times are ms since the run began, heights are block numbers. */
export interface Evidence {
  /** Of all nodes, validators first. */
  readonly names: readonly string[];
  readonly durationMs: number;
  readonly views: readonly NodeView[];
  readonly writes: readonly AcknowledgedWrite[];
  readonly claims: readonly WriteClaim[];
  readonly signatures: readonly SignatureRecord[];
  readonly ends: readonly ProcessEnd[];
  readonly phases: readonly PhaseOutcome[];
  readonly memory: readonly MemorySample[];
  /** Lines of logs that an honest network never writes. */
  readonly complaints: readonly Complaint[];
  /** Changes of the set of validators that were carried out, in words. */
  readonly changes: readonly string[];
  readonly failedChanges: readonly Complaint[];
  /** Owners of the first validators. */
  readonly members: readonly string[];
  /** Answers of a validator with damaged files that differ from those of the others. */
  readonly wrongAnswers: readonly Complaint[];
}
