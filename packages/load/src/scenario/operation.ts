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
  /** Whose key signed it and whose nonce it takes, an agent's own one included; null for reads. Operations of one sender have to be sent in their order. */
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
  /**
   * Next EVM nonce of each account of the run, by index; all 0 for fresh ones. The last account of {@link Plan.accounts} deploys the contracts: what it has
   * deployed already is not deployed again.
   */
  nonceOf(account: number): number;
  /** Number of the newest block, for reads; 0 when absent. */
  readonly height?: number;
  /** Hashes of transactions of recent blocks, for reads; without them, hashes are asked for that nobody has. */
  readonly transactions?: readonly Hash[];
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
  /**
   * Accounts by index, each with the wei that it is to have when the run begins, given by the funder. The last one deploys contracts and sends nothing
   * in the measured part.
   */
  readonly accounts: readonly { readonly address: Address; readonly wei: bigint }[];
  /** Whether anything of it is a transaction of the EVM, which needs gas. */
  readonly needsGas: boolean;
  /** ERC-20 tokens that it deploys. */
  readonly tokens: readonly Address[];
  /** Symbols of the markets in which it trades, those included that the setup adds because they are not there. */
  readonly markets: readonly string[];
  /** Signed by the accounts themselves, once they have their wei. */
  readonly setup: readonly SetupStep[];
  /** Operations that the scenario schedules; null when it depends on what the network takes. */
  readonly operations: number | null;
  /** How many operations of each kind that would be, or how many of a thousand, from a part that was drawn; most first. */
  readonly kinds: readonly { readonly kind: OperationKind; readonly count: number }[];
}
