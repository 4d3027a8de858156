import type {
  ActionResult,
  Block,
  Candle,
  CandleInterval,
  CommitCertificate,
  DomainEvent,
  ExecutionRoots,
  Log,
  RankedValidator,
  Receipt,
  RegisteredValidator,
} from '@prime/codec';
import type { Address, Hash, Height, MarketId, TimestampMs } from '@prime/primitives';
import type { ClosedOrderInfo, OrderKey } from './bookPorts.ts';
import type { Eventual } from './eventual.ts';

/** A committed block with what every node derives from it. */
export interface BlockRecord {
  readonly block: Block;
  readonly hash: Hash;
  /** Of this block's own post-state. */
  readonly roots: ExecutionRoots;
  /** null for the genesis block only. */
  readonly certificate: CommitCertificate | null;
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
}

export interface TransactionLocation {
  readonly kind: 'transaction' | 'action';
  readonly height: Height;
  readonly index: number;
}

/** Blocks `fromHeight` to `toHeight`, both included. */
export interface HeightRange {
  readonly fromHeight: Height;
  readonly toHeight: Height;
}

export interface LogQuery extends HeightRange {
  /** Empty matches every address. */
  readonly addresses: readonly Address[];
  /** Position by position the accepted topics; null or an empty list accepts any, also none. */
  readonly topics: readonly (readonly Hash[] | null)[];
  /** More matches than this are an error. */
  readonly limit: number;
}

export interface LogEntry extends Log {
  readonly height: Height;
  readonly blockHash: Hash;
  readonly timestampMs: TimestampMs;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  /** Place among the block's logs. */
  readonly logIndex: number;
}

export interface EventQuery extends HeightRange {
  readonly domain: string | null;
  readonly kind: string | null;
  /** Events that name one of these; empty is every event. */
  readonly addresses: readonly Address[];
  readonly limit: number;
}

export interface EventEntry extends DomainEvent {
  readonly height: Height;
  readonly blockHash: Hash;
  /** Place among the block's events. */
  readonly index: number;
  /** Hash of the action that caused it, or of the transaction whose contract asked for it. */
  readonly transactionHash: Hash | null;
}

export interface CandleQuery {
  readonly marketId: MarketId;
  readonly interval: CandleInterval;
  /** Begins of the first and of the last candle, ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Whether what is not kept may be left out. */
  readonly mayBeCut: boolean;
}

export interface ChainReader {
  head(): Eventual<BlockRecord>;
  /** Base fee of the block after the head, wei. */
  nextBaseFee(): Promise<bigint>;
  blockByHeight(height: Height): Eventual<BlockRecord | null>;
  blockByHash(hash: Hash): Promise<BlockRecord | null>;
  /** Receipts of a known block's transactions, in order. */
  receipts(height: Height): Eventual<readonly Receipt[]>;
  /** Domain events of a known block, in order. */
  blockEvents(height: Height): Eventual<readonly DomainEvent[]>;
  /** What the actions of a known block answered, in their order. */
  actionResults(height: Height): Eventual<readonly ActionResult[]>;
  /** Who decided a known block, in the order of their set; of genesis those who decide block 1. @throws RpcError `RPC_HISTORY_PRUNED` */
  validators(height: Height): Eventual<readonly RankedValidator[]>;
  location(hash: Hash): Eventual<TransactionLocation | null>;
  /** The end of an order, from history; null where all of history is here, and it is not in it. @throws RpcError `RPC_ORDER_NOT_KEPT` */
  endedOrder(key: OrderKey): Promise<ClosedOrderInfo | null>;
  /** Those that have trades, by time. @throws RpcError `RPC_CANDLES_NOT_KEPT` */
  candles(query: CandleQuery): Promise<readonly Candle[]>;
  /** Waits until a block holds the transaction or action. @returns false when that took too long */
  untilIncluded(hash: Hash, timeoutMs: number): Promise<boolean>;
  /** @throws PrimeError `RPC_LIMIT_EXCEEDED` */
  logs(query: LogQuery): Promise<readonly LogEntry[]>;
  /** @throws PrimeError `RPC_LIMIT_EXCEEDED` */
  events(query: EventQuery): Promise<readonly EventEntry[]>;
}

export interface SyncProgress {
  readonly startingBlock: Height;
  readonly currentBlock: Height;
  readonly highestBlock: Height;
}

export interface NetworkStatus {
  readonly peerCount: number;
  readonly listening: boolean;
  /** null when caught up. */
  readonly syncing: SyncProgress | null;
  /** Whether this node's validator is in the active set. */
  readonly active: boolean;
  readonly validators: readonly RankedValidator[];
  /** Everyone who is registered, in the set or not; left out where validators never change. */
  readonly registered?: readonly RegisteredValidator[];
}

export interface Network {
  status(): Promise<NetworkStatus>;
}
