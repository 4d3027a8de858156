import type { Address, Hash } from '@prime/primitives';
import type { AccountState } from '../queries/stateTypes.ts';
import type { ContractOrigin } from '../actions/actionTypes.ts';
import type { Block } from '../consensus/block.ts';
import type { ExecutionRoots } from '../consensus/header.ts';
import type { CommitCertificate } from '../consensus/votes.ts';

/** An EVM log: up to four topics, and any data. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

/** What an EVM transaction came to. Gas prices are in wei. */
export interface Receipt {
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  readonly type: number;
  readonly from: Address;
  readonly to: Address | null;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly contractAddress: Address | null;
  readonly logs: readonly Log[];
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** Return data, or revert data. */
  readonly output: Uint8Array;
}

/** A domain event in working form; field lists by kind stand in eventTable.ts. */
export interface DomainEvent {
  readonly domain: 'orders' | 'bridge' | 'validators';
  readonly kind: string;
  /** Index of the action in the block that caused it; null for what the block itself does, or a contract. */
  readonly actionIndex: number | null;
  /** The contract's write that caused it; only there when one did. */
  readonly contract?: ContractOrigin;
  readonly data: Readonly<Record<string, string | number | bigint | boolean | null>>;
}

/** One key of the order book domain's state. A null value removes the key. Keys and values: recordKeys.ts and clobRecords.ts. */
export interface RecordWrite {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** An account whose balance, nonce or code changed in a block. */
export interface AccountChange extends AccountState {
  readonly address: Address;
}

/** Receipts of a block: all without their logs, and all logs of the block, null when there are none. */
export interface StoredReceipts {
  readonly receipts: Uint8Array;
  readonly logs: Uint8Array | null;
}

/**
 * What a committed block changed. The execution thread publishes it after the block is durable; the gateway keeps its
 * read models with it, consensus its mempool.
 */
export interface BlockDelta {
  readonly block: Block;
  readonly hash: Hash;
  readonly certificate: CommitCertificate;
  /** Roots of this block's own post-state. */
  readonly roots: ExecutionRoots;
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
  readonly receipts: readonly Receipt[];
  /** The same as the database and other threads get it, made once. */
  readonly storedReceipts: StoredReceipts;
  /** What its actions came to, its domain events, and what it wrote of the order book, encoded: see resultFrames.ts, eventFrames.ts and recordFrames.ts. */
  readonly actionResults: Uint8Array;
  readonly events: Uint8Array;
  readonly clobRecords: Uint8Array;
  readonly accounts: readonly AccountChange[];
  /** Base fee of the next block. */
  readonly nextBaseFee: bigint;
}
