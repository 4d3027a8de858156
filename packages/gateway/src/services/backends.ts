import type {
  AccountState,
  ActionResult,
  CallOutcome,
  DomainEvent,
  OrdersProof,
  RankedValidator,
  Receipt,
  StateContext,
  StateRef,
  TransactionLocation,
} from '@prime/codec';
import type { Address, Hash, Height, Hex } from '@prime/primitives';
import type {
  ActionRequest,
  BlockRecord,
  CallRequest,
  HistoryReader,
  Network,
  StateReader,
  Traces,
  TransactionPool,
} from '@prime/rpc';

/** The rest of the node as the gateway reaches it: over the bus, or through the pool of readers. */
export interface GatewayBackends {
  readonly consensus: ConsensusBackend;
  readonly reader: ReaderBackend;
  readonly execution: ExecutionBackend;
  /** Absent where every call goes to a reader. */
  readonly inlineCalls?: InlineCalls;
}

/** Reads of the state at the head that are cheap enough for the gateway's own thread. */
export interface InlineCalls {
  /**
   * Outcome of a call at the head, the same that a reader has; null for one that is left to the readers. Never throws.
   */
  call(request: CallRequest, at: StateContext): CallOutcome<Hex> | null;
  /** Balance and nonce after the head; null when that is left to the readers. Never throws. */
  account(address: Address, at: StateRef): AccountState | null;
}

/** The execution thread. What is asked of it waits for the block that it executes, so only what nobody else knows is. */
export interface ExecutionBackend {
  /** Proof of a record of the order book in the newest committed state. @param key as recordKeys.ts makes it */
  ordersProof(key: Uint8Array): Promise<OrdersProof>;
}

/** What the gateway wants to hear of transactions that become executable in the mempool. */
export type PendingDetail = 'none' | 'hashes' | 'full';

/** A transaction that became executable in the mempool; `raw` is its EIP-2718 encoding. */
export interface PendingTransaction {
  readonly hash: Hash;
  /** Null where only hashes were asked for. */
  readonly transaction: { readonly raw: Uint8Array; readonly sender: Address } | null;
}

/** Transactions that became executable since the last batch, in that order. */
export interface PendingBatch {
  /** Transactions before these of which the gateway could not be told. */
  readonly missed: number;
  readonly transactions: readonly PendingTransaction[];
}

/** The consensus thread: mempool and network, under names that tell them apart on one bus. */
export interface ConsensusBackend {
  readonly submitTransaction: TransactionPool['submit'];
  readonly submitReadyTransaction: TransactionPool['submitReady'];
  /**
   * Signs an unsigned action with the node's gateway key and admits it.
   *
   * @throws PrimeError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_ACCOUNT_LOCKED` where that is not enough
   */
  submitAction(request: Omit<ActionRequest, 'authorization'>): Promise<Hash>;
  readonly pendingNonce: TransactionPool['pendingNonce'];
  readonly poolStatus: TransactionPool['status'];
  readonly pooledTransaction: TransactionPool['transaction'];
  readonly poolContent: TransactionPool['content'];
  readonly proposalTransactions: TransactionPool['proposal'];
  readonly networkStatus: Network['status'];
  readonly consensusStatus: Network['consensus'];
  readonly knownNodes: Network['nodes'];
  /** From its answer on the gateway is told of transactions that become executable, see `Gateway.applyPending`. */
  listenPending(detail: PendingDetail): Promise<void>;
}

/** Names a block of the chain; a hash that is not known is no error. */
export type BlockKey = { readonly height: Height } | { readonly hash: Hash };

/** Committed blocks and what they left behind. */
export interface HistoryBackend extends HistoryReader {
  block(key: BlockKey): Promise<BlockRecord | null>;
  /** Of a known block. */
  receipts(height: Height): Promise<readonly Receipt[]>;
  /** Of a known block. */
  blockEvents(height: Height): Promise<readonly DomainEvent[]>;
  /** Of a known block. */
  actionResults(height: Height): Promise<readonly ActionResult[]>;
  /** Of a known block; of genesis those who decide block 1. */
  validators(height: Height): Promise<readonly RankedValidator[]>;
  location(hash: Hash): Promise<TransactionLocation | null>;
}

/** States after committed blocks; another thread answers, so nothing is there at once. */
interface StateBackend extends StateReader {
  account(address: Address, at: StateRef): Promise<AccountState>;
  call(request: CallRequest, at: StateContext): Promise<CallOutcome<Hex>>;
}

/** Traces of committed blocks and of calls. */
export interface TraceBackend {
  readonly traceTransaction: Traces['transaction'];
  readonly traceBlock: Traces['block'];
  readonly traceCall: Traces['call'];
  readonly accessList: Traces['accessList'];
  readonly simulate: Traces['simulate'];
}

/**
 * Everything on disk, as of some committed block that is the gateway's head or newer. Blocks start at height 1.
 *
 * What the node keeps no more is refused: blocks, receipts, logs and events with RpcError `RPC_HISTORY_PRUNED`, states with
 * `RPC_STATE_NOT_KEPT`.
 */
export interface ReaderBackend extends HistoryBackend, StateBackend, TraceBackend {}
