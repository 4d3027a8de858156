import type { Hash, Height } from '@prime/primitives';
import type {
  AccountChange,
  Block,
  ExecutionRoots,
  RegisteredValidator,
  VerifiedAction,
  VerifiedTransaction,
} from '../types.ts';

/** What travels between the consensus thread and the execution thread. */

/** A block as the execution thread takes it: with senders and signers already recovered. */
export interface ExecutableBlock {
  readonly hash: Hash;
  readonly block: Block;
  readonly transactions: readonly VerifiedTransaction[];
  readonly actions: readonly VerifiedAction[];
}

/** `diverged` tells that the block's results of its parent are not the ones computed here. */
export type BlockCheck =
  | { readonly ok: true }
  | { readonly ok: false; readonly diverged: boolean; readonly reason: string };

/** Where execution stands: everything that the next header needs from it. */
export interface ExecutionStatus {
  readonly height: Height;
  /** Hash of the block at that height; the genesis hash at height 0. */
  readonly hash: Hash;
  readonly roots: ExecutionRoots;
  readonly nextBaseFee: bigint;
  /**
   * All registered validators after that block: the active ones decide the second block after it. Left out where nothing about
   * them changed since the status before, and on networks whose validators never change.
   */
  readonly validators?: readonly RegisteredValidator[];
}

/** A node on the way to a record of the order book: docs/protocol/orders-root.md. */
export interface OrdersProofStep {
  readonly depth: number;
  /** Four hashes of 32 bytes. */
  readonly children: readonly Uint8Array[];
}

/** What shows that a record of the order book is, or is not, in the state of the newest executed block. */
export interface OrdersProof {
  readonly height: Height;
  /** Of the block. */
  readonly hash: Hash;
  /** After the block; slot 0 of 0x…0100 under it is the orders root. */
  readonly stateRoot: Hash;
  /** From the root down. */
  readonly steps: readonly OrdersProofStep[];
  /** The record at the end of the path: the asked one, or the one that stands in its way; null when nothing is there. */
  readonly record: { readonly key: Uint8Array; readonly value: Uint8Array } | null;
}

/** Where execution stands after a commit, and what the mempool has to know of it. */
export interface CommitOutcome extends ExecutionStatus {
  readonly accounts: readonly AccountChange[];
  /** Gas that each transaction used. */
  readonly transactionGas: readonly number[];
}
