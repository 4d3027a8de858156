import type { VerifiedTransaction } from '@prime/codec';

/** Bounds of the mempool. The defaults keep it below ~100 MB and are far above what a few blocks can take. */
export interface MempoolLimits {
  readonly transactionCountMax: number;
  readonly transactionBytesMax: number;
  /** Longest single transaction, bytes. */
  readonly transactionSizeMax: number;
  /** Waiting transactions of one sender, whether executable or not. */
  readonly senderTransactionsMax: number;
  /** Executable transactions of one sender that nothing evicts but what pays more and is guaranteed a place itself. */
  readonly senderGuaranteed: number;
  /** Transactions of one sender that wait behind a nonce gap. */
  readonly senderQueuedMax: number;
  /** Transactions of all senders that wait behind a nonce gap: they cost their senders nothing, so they get less room. */
  readonly queuedCountMax: number;
  /** How long transactions wait behind a gap without anything new of their sender, ms of block time. */
  readonly queuedLifetimeMs: number;
  /** Transactions from this node's own clients that are evicted after those from elsewhere; further ones are like any other. */
  readonly localCountMax: number;
  /** How much both fees of a replacement have to rise, percent. */
  readonly priceBumpPercent: number;
  /** Least maxPriorityFeePerGas that is admitted, wei. */
  readonly tipMin: bigint;
  readonly actionCountMax: number;
  readonly actionBytesMax: number;
  /** Waiting actions of one signer. A validator's gateway key signs for all of its unsigned callers. */
  readonly signerActionsMax: number;
  /** Hashes of committed actions that are remembered at least, so that late gossip does not bring them back. */
  readonly rememberedActions: number;
  /** Clients' transactions and actions wait while blocks are expected to take all that is before them within this time, ms; 0 bounds nothing. */
  readonly drainMs: number;
}

/** Values of the limits that {@link MempoolOptions.limits} leaves out. */
export const defaultMempoolLimits: MempoolLimits = {
  transactionCountMax: 20_000,
  transactionBytesMax: 64 << 20,
  transactionSizeMax: 128 << 10,
  senderTransactionsMax: 1024,
  senderGuaranteed: 16,
  senderQueuedMax: 64,
  queuedCountMax: 2048,
  queuedLifetimeMs: 3 * 3_600_000,
  localCountMax: 5_000,
  priceBumpPercent: 10,
  tipMin: 0n,
  actionCountMax: 20_000,
  actionBytesMax: 16 << 20,
  signerActionsMax: 10_000,
  rememberedActions: 32_768,
  drainMs: 2_000,
};

/** What the mempool takes from the chain, and how much it may hold. */
export interface MempoolOptions {
  /** Gas limit of a block; a transaction with more can never run. */
  readonly blockGasLimit: bigint;
  /** Bytes of transactions and actions in a block: what is longer could never be in one, and would ask for blocks for ever. Unbounded when absent. */
  readonly blockBytesMax?: number;
  /** Base fee of the next block; {@link Mempool.onCommit} keeps it current. */
  readonly baseFee: bigint;
  /** Time at which it begins, ms: what arrives before the first block counts from then. */
  readonly timestampMs?: number;
  readonly limits?: Partial<MempoolLimits>;
  /**
   * Told of each transaction once, when it begins to follow its account's nonce without a gap: on arrival, or when the gap before
   * it closes. Must not call the mempool.
   */
  readonly onPending?: (transaction: VerifiedTransaction) => void;
}
