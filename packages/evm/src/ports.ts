import type {
  AccountChange,
  AccountState,
  ExecutionRoots,
  Genesis,
  Receipt,
  RecordWrite,
  StateContext,
  VerifiedTransaction,
} from '@prime/codec';
import type { Address, Hash, Height } from '@prime/primitives';

/** The state database as the EVM uses it; classic-level behind it. Keys: docs/protocol/database.md. */
export interface StateDatabase {
  getSync(key: Uint8Array): Uint8Array | undefined;
  /** Values of many keys, in their order; cheaper than one by one, and not on the caller's thread. */
  getMany(keys: readonly Uint8Array[]): Promise<readonly (Uint8Array | undefined)[]>;
  /**
   * Entries from a key up to before another one, in portions; nothing that is written after the call is seen.
   *
   * @param direction `down` begins with the last entry. Default `up`
   */
  scan(from: Uint8Array, before: Uint8Array, direction?: ScanDirection): Scan;
  /** Entries with the prefix, in key order. */
  entries(prefix: Uint8Array): AsyncIterable<readonly [key: Uint8Array, value: Uint8Array]>;
  /** One atomic batch. `sync` waits for the disk. */
  write(writes: readonly RecordWrite[], options: { readonly sync: boolean }): Promise<void>;
  close(): Promise<void>;
}

/** `up` is ascending by the bytes of the keys. */
export type ScanDirection = 'up' | 'down';

/** A walk through a range of keys, upwards or downwards. */
export interface Scan {
  /** Goes on at the first key, in its direction, that is the given one or beyond it. */
  seek(key: Uint8Array): void;
  /** The next entries, at most so many; none at the end. */
  next(count: number): Promise<readonly (readonly [key: Uint8Array, value: Uint8Array])[]>;
  close(): Promise<void>;
}

/** The order book as contracts read it, see docs/protocol/predeploy.md. */
export interface OrderViews {
  /**
   * Answers the calldata of a read.
   *
   * @param height of the block after which the order book is meant: the parent of the one that runs
   */
  read(input: Uint8Array, height: Height): Promise<OrderAnswer>;
}

/** What the order book's precompile returns; `ok: false` reverts the call. */
export interface OrderAnswer {
  readonly ok: boolean;
  /** Return data, or revert data with the reason. */
  readonly output: Uint8Array;
}

/** What the header tells the EVM. */
export interface BlockEnvironment extends Omit<StateContext, 'stateRoot'> {
  /** PREVRANDAO: hash of the parent. Not a source of randomness. */
  readonly prevRandao: Hash;
}

/** All that a finished block changed and committed to; gas in units, balances in wei. */
export interface EvmOutcome {
  readonly stateRoot: Hash;
  readonly receiptsRoot: Hash;
  readonly gasUsed: bigint;
  readonly receipts: readonly Receipt[];
  readonly accounts: readonly AccountChange[];
  /** Payments outside of transactions that were made before the first of them ran, in order. */
  readonly movesBefore: readonly BalanceMove[];
  /** Trie nodes, flat accounts, flat storage and code that changed; written by the chain in the block's one batch. */
  readonly writes: readonly RecordWrite[];
}

/** wei that moved outside of a transaction. */
export interface BalanceMove {
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** The EVM's write side. One block at a time is open, on top of the committed state. */
export interface EvmState {
  readonly stateRoot: Hash;
  account(address: Address): AccountState;
  begin(environment: BlockEnvironment): EvmBlock;
}

/** A block in the making. Methods out of their turn throw EvmError `EVM_BLOCK_MISUSE`. */
export interface EvmBlock {
  balance(address: Address): bigint;
  /** Moves value outside of a transaction (deposits, withdrawals). @returns false and nothing done when `from` has too little */
  transfer(from: Address, to: Address, amount: bigint): Promise<boolean>;
  setStorage(address: Address, slot: Hash, value: Hash): Promise<void>;
  /**
   * Runs transactions in order; one that is not executable at its turn (nonce, funds, intrinsic gas) gets a receipt with
   * status 0 and no gas and changes nothing.
   *
   * @returns their receipts
   */
  run(transactions: readonly VerifiedTransaction[]): Promise<readonly Receipt[]>;
  /** Computes root, receipts and writes. No more calls after it but commit or discard. */
  finish(): Promise<EvmOutcome>;
  /** The writes are in the database: the block's state is the committed state now. */
  commit(): void;
  /** Leaves no trace. */
  discard(): void;
}

/** Writes of the genesis allocation. Pure function of genesis and the roots; there is no staking root where validators never change. */
export type GenesisState = (
  genesis: Genesis,
  ordersRoot: Hash,
  stakingRoot: Hash | null,
) => Promise<{ stateRoot: Hash; writes: readonly RecordWrite[] }>;

export type { ExecutionRoots };
