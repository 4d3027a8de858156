import type { Address, Hash, Height, Hex, TimestampMs } from '@prime/primitives';
import type { ClobParams } from '../genesis/genesis.ts';
import type { MarginParams, MarketRecord } from '../records/clobRecords.ts';
import type { ProposalRecord } from '../records/governanceRecords.ts';

/** The state after a block, and what is read there. */

/** What is read of an account at a state: its next nonce and its balance in wei. */
export interface AccountState {
  readonly nonce: number;
  readonly balance: bigint;
}

/** The parameters of the order book that actions change. */
export interface BookParameters {
  /** Of markets without their own. */
  readonly defaultMargin: MarginParams;
  /** By id. */
  readonly markets: readonly MarketRecord[];
  /** Of all markets; null: those of genesis. */
  readonly clob: ClobParams | null;
  /** By hash. */
  readonly proposals: readonly ProposalRecord[];
}

/** A state by its block's height and its root. */
export interface StateRef {
  readonly height: Height;
  readonly stateRoot: Hash;
}

/** The state after a block, and the header values that code running on it sees. */
export interface StateContext extends StateRef {
  readonly timestampMs: TimestampMs;
  readonly proposer: Address;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly parentHash: Hash;
}

/**
 * An account under a state root, with the nodes that show it (EIP-1186); one that does not exist is proven absent.
 *
 * `Bytes` is what byte strings are: hex where they go on to JSON.
 */
export interface AccountProof<Bytes extends Uint8Array | Hex = Uint8Array> {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Hash;
  readonly storageRoot: Hash;
  /** Encodings of the trie's nodes from the root down. */
  readonly proof: readonly Bytes[];
  /** In the order asked. */
  readonly slots: readonly SlotProof<Bytes>[];
}

/** A storage slot and the trie nodes from the storage root down to it (EIP-1186); the value 0 is proven by absence. */
export interface SlotProof<Bytes extends Uint8Array | Hex = Uint8Array> {
  readonly slot: Hash;
  readonly value: bigint;
  readonly proof: readonly Bytes[];
}
