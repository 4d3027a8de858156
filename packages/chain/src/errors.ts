import { type Hash, type Height, PrimeError } from '@prime/primitives';

/** Why a chain cannot be opened or go on. Refusals of proposed blocks are no errors. */
export type ChainErrorDetail =
  /** The state database belongs to another genesis. */
  | { readonly code: 'CHAIN_GENESIS_MISMATCH'; readonly stored: Hash; readonly configured: Hash }
  /** The order book rebuilt from its records does not have the root that the state commits to. */
  | { readonly code: 'CHAIN_ORDERS_ROOT_MISMATCH'; readonly stored: Hash; readonly rebuilt: Hash }
  /** What contracts left to the next block is not what the state commits to: the record is missing or another one. */
  | { readonly code: 'CHAIN_CONTRACT_WRITES_MISMATCH'; readonly stored: Hash; readonly committed: Hash }
  /** The staking state read from its records does not have the root that the state commits to. */
  | { readonly code: 'CHAIN_STAKING_ROOT_MISMATCH'; readonly stored: Hash; readonly rebuilt: Hash }
  /** The database was written by a newer format than this program knows. */
  | { readonly code: 'CHAIN_FORMAT_UNKNOWN'; readonly found: number }
  /** A snapshot is not the one of its manifest, or of no state at all. */
  | { readonly code: 'CHAIN_SNAPSHOT_REFUSED'; readonly reason: string }
  /** Levels of this network's order book are no records: genesis does not say `clob.levelProofs`. */
  | { readonly code: 'CHAIN_LEVELS_NOT_KEPT' }
  /** A checked block made its execution throw: this program can not carry it out. The cause says why. */
  | { readonly code: 'CHAIN_BLOCK_FAILED'; readonly hash: Hash; readonly height: Height }
  /** Records of the state can not be read, or are of no state at all. */
  | { readonly code: 'CHAIN_STATE_UNREADABLE'; readonly part: 'order book' | 'staking'; readonly reason: string }
  /** A block was executed or committed that was never checked, or not on top of the head. */
  | { readonly code: 'CHAIN_UNKNOWN_BLOCK'; readonly hash: Hash; readonly head: Height };

/** A broken surrounding of the pipeline, which can not be continued from; only `CHAIN_LEVELS_NOT_KEPT` is the caller's. */
export class ChainError extends PrimeError<ChainErrorDetail> {}
