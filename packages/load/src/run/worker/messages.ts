import type { Address, Hash } from '@prime/primitives';
import type { NetworkFacts, Partition } from '../../scenario/operation.ts';
import type { RateStage } from '../../arrivals.ts';
import type { Transport } from './lanes.ts';

/** What coordinator and workers say to each other, over a thread's port or a TCP connection alike. */

/** {@link NetworkFacts} as data. */
export interface FactsData extends Omit<NetworkFacts, 'nonceOf'> {
  /** Next EVM nonce of each account of the run, by index. */
  readonly nonces: readonly number[];
}

/** Where operations come from. */
interface Work {
  readonly name: string;
  readonly toml: string;
  /** In place of the scenario's own; null for that one. */
  readonly size: number | null;
}

/** How fast a worker sends; of the whole rate its part. */
export type Pace =
  | { readonly kind: 'open'; readonly arrivals: 'constant' | 'poisson'; readonly stages: readonly RateStage[] }
  | {
      readonly kind: 'closed';
      readonly clients: number;
      /** From an answer to the next operation of the same client: mean, and whether all are alike. */
      readonly thinkMs: number;
      readonly spread: 'none' | 'exponential';
      readonly seconds: number;
    };

/** All that a worker has to know before it can sign: every worker of a run gets the same but for its partition. */
export interface Assignment {
  readonly work: Work;
  readonly seed: number;
  /** Mixed into the keys of all accounts; null on networks where nobody would take their wei. */
  readonly secret: Uint8Array | null;
  /** Operations a second of all workers together, at most; null where that is not known. */
  readonly rate: number | null;
  readonly partition: Partition;
  readonly facts: FactsData;
  readonly urls: readonly string[];
  readonly transport: Transport;
  /** To each node; null for the usual number. */
  readonly connections: number | null;
  /** Operations that are signed before a run begins, at most; those beyond are signed in idle turns. */
  readonly aheadMax: number;
  /** From so many ms on an operation that has no answer is unknown. */
  readonly answerMs: number;
}

/** Orders to a worker; `prepare` comes before all others. */
export type ToWorker =
  | { readonly type: 'prepare'; readonly assignment: Assignment }
  /** Signs so many operations ahead, as far as there is room. */
  | { readonly type: 'sign'; readonly operations: number }
  | { readonly type: 'run'; readonly pace: Pace }
  /** No more operations become due. */
  | { readonly type: 'stop' };

/** Operations that have a hash, before they can be sent: whatever becomes of the worker, what it may have sent is known. */
export interface Announced {
  readonly type: 'announced';
  /** Place of the first one among all that this worker announces. */
  readonly first: number;
  readonly kinds: readonly string[];
  readonly hashes: readonly Hash[];
  readonly senders: readonly (Address | null)[];
}

/** How an operation can end; {@link Outcomes.rows} hold the index. */
export const rowOutcomes = ['acknowledged', 'refused', 'unknown'] as const;
/** Numbers of one announced operation that has ended, in the order in which {@link Outcomes.rows} has them; times are ms since the begin of the run. */
export const rowFields = ['place', 'url', 'scheduledMs', 'sentMs', 'endMs', 'outcome'] as const;

/** What came of operations since the last such message. */
export interface Outcomes {
  readonly type: 'outcomes';
  /** {@link rowFields} of each, one after the other. */
  readonly rows: Float64Array;
  /** By kind of operation. */
  readonly kinds: readonly KindTotals[];
  /** Attempts that were refused or lost. */
  readonly errors: readonly { readonly code: number; readonly words: string; readonly count: number }[];
  /** Operations that were refused at last, and faults of nodes. */
  readonly refusals: readonly {
    readonly kind: string;
    readonly code: number;
    readonly words: string;
    readonly count: number;
  }[];
  /** Encoded histogram of how late the worker itself was to begin operations, ms. */
  readonly late: string;
  readonly latestMs: number;
  /** Sent, or due and waiting for a connection. */
  readonly underWay: number;
  readonly waiting: number;
  /** Nodes by index to which at least one connection is open. */
  readonly up: readonly number[];
  /** Processor seconds of the worker since it was started. */
  readonly cpuSeconds: number;
}

/** Counts of one kind of operation since the run began. */
export interface KindTotals {
  readonly kind: string;
  readonly scheduled: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly refused: number;
  readonly unknown: number;
  readonly late: number;
  /** Encoded histogram from due to acknowledged, ms. */
  readonly latency: string;
}

/** What a worker tells of its work. */
export type FromWorker =
  | { readonly type: 'prepared' }
  | { readonly type: 'signed'; readonly operations: number; readonly seconds: number }
  | Announced
  /** The run has begun; times count from here. */
  | { readonly type: 'begun' }
  | Outcomes
  /** Everything that was due was sent and has an outcome. */
  | { readonly type: 'ended' }
  /** The worker can not go on. */
  | { readonly type: 'failed'; readonly words: string };
