import type { Hash, Height } from '@prime/primitives';
import type {
  AccountChange,
  Block,
  CommitCertificate,
  ExecutionRoots,
  VerifiedAction,
  VerifiedTransaction,
} from './types.ts';

/** What travels between the consensus thread and the execution thread. */

export interface StoredBlock {
  readonly block: Block;
  readonly hash: Hash;
  readonly certificate: CommitCertificate;
}

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
}

export interface CommitOutcome extends ExecutionStatus {
  readonly accounts: readonly AccountChange[];
}
