import type { Address, Hash } from '@prime/primitives';

/** Kinds of operations, as reports name them. */
export type OperationKind = string;

/** One request that a run sends, complete: nothing has to be worked out in the measured path. */
export interface Operation {
  readonly kind: OperationKind;
  readonly method: string;
  /** JSON text of the parameters, an array. */
  readonly params: string;
  /** By which it is found in a block; null for what is in none, such as reads. */
  readonly hash: Hash | null;
  /** Of whom it is; null for reads. Operations of one sender have to be sent in their order. */
  readonly sender: Address | null;
}

/** Of which accounts a worker sends: those whose index leaves `worker` when divided by `workers`. */
export interface Partition {
  readonly worker: number;
  readonly workers: number;
}

/** What the generator has to know of the network before it signs anything. */
export interface NetworkFacts {
  readonly chainId: number;
  /** Time of the newest block, ms: nonces of native transactions are counted from here. */
  readonly timeMs: number;
  /** Wei per gas. */
  readonly baseFee: bigint;
  readonly gasLimit: bigint;
  /** Markets in the order of their ids, from 1 on. */
  readonly markets: readonly { readonly symbol: string; readonly tickSize: bigint; readonly lotSize: bigint }[];
  /** Next EVM nonce of each account of the run, by index; all 0 for fresh ones. */
  nonceOf(account: number): number;
}

/** An endless stream of operations: a pure function of scenario, seed, partition and facts. */
export interface Operations {
  /** The next one, signed. */
  next(): Operation;
}

/** What has to be committed before a run begins. Steps come one after the other; the operations of one step in any order, but for those of one sender. */
export interface SetupStep {
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** What a run needs, before anything is sent: what `prime load plan` prints. */
export interface Plan {
  /** Accounts by index, each with the wei that it is to be given by the funder. */
  readonly accounts: readonly { readonly address: Address; readonly wei: bigint }[];
  /** Markets that have to be there, and that the setup adds where they are not. */
  readonly markets: number;
  /** Signed by the accounts themselves, once they have their wei. */
  readonly setup: readonly SetupStep[];
  /** Operations that the scenario schedules; null when it depends on what the network takes. */
  readonly operations: number | null;
}
