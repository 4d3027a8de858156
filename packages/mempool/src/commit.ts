import type { AccountChange } from '@prime/codec';
import type { Hash } from '@prime/primitives';

/** What a committed block means for the mempool. */
export interface MempoolCommit {
  readonly transactions: readonly Hash[];
  /** Gas that each of them used. */
  readonly gasUsed: readonly number[];
  readonly actions: readonly Hash[];
  /** Accounts that changed; others are as they were. */
  readonly accounts: readonly AccountChange[];
  readonly nextBaseFee: bigint;
  readonly timestampMs: number;
}

/** What a block did to a lane of the mempool, by work: gas that transactions are expected to use, or bytes of actions. */
export interface Drained {
  /** What the block took of it. */
  readonly taken: number;
  /** What the next block could take, room aside. */
  readonly remaining: number;
}

/** What a block did to what waits. */
export type MempoolDrain = Readonly<Record<'transactions' | 'actions', Drained>>;

/** Work that blocks take of each lane in a millisecond, as measured; null while that is not known. */
export type DrainRates = Readonly<Record<keyof MempoolDrain, number | null>>;
