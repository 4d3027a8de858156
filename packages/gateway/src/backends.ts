import type {
  AccessListOutcome,
  AccountProof,
  AccountState,
  ActionResult,
  CallOutcome,
  CallTrace,
  Candle,
  DomainEvent,
  OrdersProof,
  RankedValidator,
  Receipt,
  SimulatedBlock,
  SimulationRequest,
  StateContext,
  StateRef,
  TraceOptions,
} from '@prime/codec';
import type { Address, Hash, Height, Hex } from '@prime/primitives';
import type {
  AccountPlaces,
  AccountQuery,
  ActionRequest,
  BlockRecord,
  CallRequest,
  CandleQuery,
  ClosedOrderInfo,
  CommitSummary,
  ConsensusStatus,
  EventEntry,
  EventQuery,
  HeightRange,
  KnownNodes,
  LogEntry,
  LogQuery,
  NetworkStatus,
  OrderKey,
  PoolStatus,
  TracedCallOptions,
  TransactionLocation,
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
  /** Proof of a record of the order book in the newest committed state. @param key as clobRecords.ts makes it */
  ordersProof(key: Uint8Array): Promise<OrdersProof>;
}

export interface PooledTransaction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  readonly sender: Address;
}

export interface WaitingTransaction extends PooledTransaction {
  readonly status: 'pending' | 'queued';
  readonly nonce: number;
}

/** What the gateway wants to hear of transactions that become executable in the mempool. */
export type PendingDetail = 'none' | 'hashes' | 'full';

export interface PendingTransaction {
  readonly hash: Hash;
  /** Null where only hashes were asked for. */
  readonly transaction: Pick<PooledTransaction, 'raw' | 'sender'> | null;
}

export interface PendingBatch {
  /** Transactions before these of which the gateway could not be told. */
  readonly missed: number;
  readonly transactions: readonly PendingTransaction[];
}

/** The consensus thread: mempool and network. */
export interface ConsensusBackend {
  /**
   * Admits an EIP-2718 transaction, or a native one.
   *
   * @throws PrimeError with go-ethereum's words as its message
   */
  submitTransaction(raw: Uint8Array): Promise<Hash>;
  /** The same for one that must not wait behind a gap of nonces. @throws PrimeError `ENGINE_NONCE_GAP` */
  submitReadyTransaction(raw: Uint8Array): Promise<Hash>;
  /**
   * Signs an unsigned action with the node's gateway key and admits it.
   *
   * @throws PrimeError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_ACCOUNT_LOCKED` where that is not enough
   */
  submitAction(request: Omit<ActionRequest, 'authorization'>): Promise<Hash>;
  /** Next nonce of the account, pooled transactions counted. */
  pendingNonce(address: Address): Promise<number>;
  poolStatus(): Promise<PoolStatus>;
  pooledTransaction(hash: Hash): Promise<PooledTransaction | null>;
  /** EVM transactions that wait, of one sender or all. @throws PrimeError `MEMPOOL_CONTENT_TOO_LARGE` */
  poolContent(sender: Address | null): Promise<readonly WaitingTransaction[]>;
  /** EVM transactions that a block proposed now would hold, in order. */
  proposalTransactions(): Promise<readonly PooledTransaction[]>;
  networkStatus(): Promise<NetworkStatus>;
  consensusStatus(): Promise<ConsensusStatus>;
  knownNodes(): Promise<KnownNodes>;
  /** From its answer on the gateway is told of transactions that become executable, see `Gateway.applyPending`. */
  listenPending(detail: PendingDetail): Promise<void>;
}

export type BlockKey = { readonly height: Height } | { readonly hash: Hash };

/**
 * Everything on disk, as of some committed block that is the gateway's head or newer. Blocks start at height 1.
 *
 * What the node keeps no more is refused: blocks, receipts, logs and events with RpcError `RPC_HISTORY_PRUNED`, states with
 * `RPC_STATE_NOT_KEPT`.
 */
export interface ReaderBackend {
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
  /** @throws RpcError `RPC_ORDER_NOT_KEPT` for one that is not known here, where not all of history is kept */
  endedOrder(key: OrderKey): Promise<ClosedOrderInfo | null>;
  /** @throws RpcError `RPC_CANDLES_NOT_KEPT` */
  candles(query: CandleQuery): Promise<readonly Candle[]>;
  /** May tell of blocks that the gateway does not know yet. */
  accountPlaces(query: AccountQuery): Promise<AccountPlaces>;
  /** Of known blocks but genesis, ascending. */
  commits(range: HeightRange): Promise<readonly CommitSummary[]>;
  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when there are more than `query.limit` */
  logs(query: LogQuery): Promise<readonly LogEntry[]>;
  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when there are more than `query.limit` */
  events(query: EventQuery): Promise<readonly EventEntry[]>;
  account(address: Address, at: StateRef): Promise<AccountState>;
  code(address: Address, at: StateRef): Promise<Hex>;
  storage(address: Address, slot: Hash, at: StateRef): Promise<Hash>;
  proof(address: Address, slots: readonly Hash[], at: StateRef): Promise<AccountProof<Hex>>;
  call(request: CallRequest, at: StateContext): Promise<CallOutcome<Hex>>;
  estimateGas(request: CallRequest, at: StateContext): Promise<CallOutcome<Hex>>;
  /** Traces of committed blocks and of calls, as {@link Traces} of rpc. */
  traceTransaction(height: Height, index: number, options: TraceOptions): Promise<string>;
  traceBlock(height: Height, options: TraceOptions): Promise<string>;
  traceCall(request: CallRequest, at: StateContext, options: TracedCallOptions): Promise<CallTrace>;
  accessList(request: CallRequest, at: StateContext): Promise<AccessListOutcome>;
  simulate(request: SimulationRequest<Hex>): Promise<readonly SimulatedBlock[]>;
}
