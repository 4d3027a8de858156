import type { VerifiedTransaction } from '@prime/codec';

/**
 * Bounds of the mempool, with the values of what {@link MempoolOptions.limits} leaves out. They keep it below ~100 MB and are far above what a few
 * blocks can take.
 */
export const defaultMempoolLimits = {
  transactionCountMax: 20_000,
  transactionBytesMax: 64 << 20,
  /** Longest single transaction, bytes. */
  transactionSizeMax: 128 << 10,
  /** Waiting transactions of one sender, whether executable or not. */
  senderTransactionsMax: 1024,
  /** Executable transactions of one sender that nothing evicts but what pays more and is guaranteed a place itself. */
  senderGuaranteed: 16,
  /** Transactions of one sender that wait behind a nonce gap. */
  senderQueuedMax: 64,
  /** Transactions of all senders that wait behind a nonce gap: they cost their senders nothing, so they get less room. */
  queuedCountMax: 2048,
  /** How long transactions wait behind a gap without anything new of their sender, ms of block time. */
  queuedLifetimeMs: 3 * 3_600_000,
  /** Transactions from this node's own clients that are evicted after those from elsewhere; further ones are like any other. */
  localCountMax: 5_000,
  /** How much both fees of a replacement have to rise, percent. */
  priceBumpPercent: 10,
  /** Least maxPriorityFeePerGas that is admitted, wei. */
  tipMin: 0n,
  actionCountMax: 20_000,
  actionBytesMax: 16 << 20,
  /** Waiting actions of one signer. A validator's gateway key signs for all of its unsigned callers. */
  signerActionsMax: 10_000,
  /** Hashes of committed actions that are remembered at least, so that late gossip does not bring them back. */
  rememberedActions: 32_768,
  /** Clients' transactions and actions wait while blocks are expected to take all that is before them within this time, ms; 0 bounds nothing. */
  drainMs: 2_000,
};

/** Bounds of the mempool; {@link defaultMempoolLimits} says what each is. */
export type MempoolLimits = Readonly<typeof defaultMempoolLimits>;

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
