import type {
  AccountEventQuery,
  AccountListPage,
  AccountListQuery,
  ActionResult,
  Block,
  BlockPlace,
  Candle,
  CandleRange,
  CommitCertificate,
  DomainEvent,
  ExecutionRoots,
  ListedEvent,
  ListedOrder,
  Log,
  LogMatch,
  OrderKey,
  RankedValidator,
  Receipt,
  RegisteredValidator,
  TransactionLocation,
} from '@prime/codec';
import type { Address, Hash, Height, TimestampMs } from '@prime/primitives';
import type { ClosedOrderInfo } from './bookPorts.ts';
import type { Eventual } from '../dispatch/eventual.ts';

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

/** Blocks `fromHeight` to `toHeight`, both included. */
export interface HeightRange {
  readonly fromHeight: Height;
  readonly toHeight: Height;
}

/** Logs of blocks that are there. */
export interface LogQuery extends HeightRange, LogMatch {
  /** More matches than this are an error. */
  readonly limit: number;
}

/** Logs of blocks that are yet to come, as a log filter or subscription takes them. */
export interface LogCriteria extends LogMatch {
  /** Logs of blocks below are left out. */
  readonly fromHeight: number;
  /** And of blocks above; infinite without an end, -1 for no block at all. */
  readonly toHeight: number;
}

/** A log and its place in the chain, with all that `eth_getLogs` answers of it. */
export interface LogEntry extends Log {
  readonly height: Height;
  readonly blockHash: Hash;
  readonly timestampMs: TimestampMs;
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  /** Place among the block's logs. */
  readonly logIndex: number;
}

/** Which domain events are wanted, of whatever blocks; null is any. */
export interface EventMatch {
  readonly domain: string | null;
  readonly kind: string | null;
  /** Events that name one of these; empty is every event. */
  readonly addresses: readonly Address[];
}

/** Which domain events of which blocks are wanted, and how many at most. */
export interface EventQuery extends HeightRange, EventMatch {
  readonly limit: number;
}

/** A domain event and its place in the chain. */
export interface EventEntry extends DomainEvent {
  readonly height: Height;
  /** Of the block. */
  readonly timestampMs: TimestampMs;
  readonly blockHash: Hash;
  /** Place among the block's events. */
  readonly index: number;
  /** Hash of the action that caused it, or of the transaction whose contract asked for it. */
  readonly transactionHash: Hash | null;
}

/** A page of what concerns an account, from the newest place backwards. */
export interface AccountQuery {
  readonly address: Address;
  /** Only what stands in front of this place; what is behind the head is not told. */
  readonly before: BlockPlace;
  /** Most places that are told. */
  readonly count: number;
}

/** Where transactions and actions of an account stand. */
export interface AccountPlaces {
  /** The last first. */
  readonly places: readonly BlockPlace[];
  /** Oldest block that was looked at: the oldest one that is kept, genesis aside. */
  readonly oldest: Height;
}

/** Candles of a market, and whether a range that begins too early is refused or cut. */
export interface CandleQuery extends CandleRange {
  /** Whether what is not kept may be left out. */
  readonly mayBeCut: boolean;
}

/** How a block was decided. */
export interface CommitSummary {
  readonly height: Height;
  readonly hash: Hash;
  readonly timestampMs: TimestampMs;
  readonly proposer: Address;
  readonly round: number;
  /** Whose precommits are in the certificate. */
  readonly signers: readonly Address[];
  /** Whose turn the rounds before it were, from round 0 on, at most {@link missedTurnsMax}. */
  readonly missedTurns: readonly Address[];
}

/** Rounds before the one that decided of which is told whose turn they were. */
export const missedTurnsMax = 32;

/** What committed blocks left behind, looked for on disk. */
export interface HistoryReader {
  /** The end of an order, from history; null where all of history is here, and it is not in it. @throws RpcError `RPC_ORDER_NOT_KEPT` */
  endedOrder(key: OrderKey): Promise<ClosedOrderInfo | null>;
  /** Those in which anything happened, by time. @throws RpcError `RPC_CANDLES_NOT_KEPT` */
  candles(query: CandleQuery): Promise<readonly Candle[]>;
  /** Where the transactions and actions are that concern an account. */
  accountPlaces(query: AccountQuery): Promise<AccountPlaces>;
  /** A page of what happened to an account, of a list that is made of events. */
  accountEvents(query: AccountEventQuery): Promise<AccountListPage<ListedEvent>>;
  /** A page of the orders of an account that ended. */
  accountOrders(query: AccountListQuery<'orders'>): Promise<AccountListPage<ListedOrder>>;
  /** Of known blocks but genesis, ascending. @throws RpcError `RPC_HISTORY_PRUNED` */
  commits(range: HeightRange): Promise<readonly CommitSummary[]>;
  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when there are more than `query.limit` */
  logs(query: LogQuery): Promise<readonly LogEntry[]>;
  /** @throws RpcError `RPC_LIMIT_EXCEEDED` when there are more than `query.limit` */
  events(query: EventQuery): Promise<readonly EventEntry[]>;
}

/** Committed blocks and what they left behind; null stands for a block that is not known. */
export interface ChainReader extends HistoryReader {
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
  /** Waits until a block holds the transaction or action. @returns false when that took too long */
  untilIncluded(hash: Hash, timeoutMs: number): Promise<boolean>;
}

/** Heights of a node that catches up: where it began, where it is, and the highest that a peer claims. */
export interface SyncProgress {
  readonly startingBlock: Height;
  readonly currentBlock: Height;
  readonly highestBlock: Height;
}

/** The node among its peers: who is connected, who decides, and whether it has caught up. */
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

/** Who gave one kind of vote in a round, for whatever. */
export interface VotesStanding {
  readonly block: readonly Address[];
  /** Voted for no block. */
  readonly nil: readonly Address[];
  /** Of the set, not heard of here. */
  readonly missing: readonly Address[];
  /** Power of those who voted. */
  readonly power: bigint;
}

/**
 * What the next block waits for: a transaction or the time of an empty block; the proposal of a round; votes; the execution of a block that is
 * decided; blocks that others have and this node lacks.
 */
export const consensusWaits = ['work', 'proposal', 'prevotes', 'precommits', 'execution', 'blocks'] as const;

/** What the next block waits for, as `prime_consensusStatus` names it. */
export type ConsensusWait = (typeof consensusWaits)[number];

/** The height that is being decided, as this node sees it. */
export interface ConsensusStatus {
  readonly height: Height;
  readonly waitsFor: ConsensusWait;
  /** Begin of the wait by the clock of this node: of the round, or of the height before its first one; null where that was before this run. */
  readonly sinceMs: number | null;
  /** The round that goes on; null before the first. */
  readonly round: {
    readonly number: number;
    readonly proposer: Address;
    /** Whether its proposal is here. */
    readonly hasProposal: boolean;
    readonly prevotes: VotesStanding;
    readonly precommits: VotesStanding;
  } | null;
  readonly totalPower: bigint;
}

/** What of the other nodes may be told to everybody: no address of any of them. */
export interface KnownNodes {
  /** Version of the rules in force for the next block, the newest one that this node knows, and the next upgrade. */
  readonly protocol: {
    readonly version: number;
    readonly known: number;
    readonly next: {
      readonly version: number;
      readonly height: Height;
      /** Whether this node goes along. */
      readonly known: boolean;
      /** Power of the validators that are known to go along. */
      readonly readyPower: bigint;
      readonly totalPower: bigint;
    } | null;
  };
  /** The set, in its order. */
  readonly validators: readonly {
    readonly address: Address;
    readonly moniker: string;
    readonly power: bigint;
    /** Connected to this node, or heard of through others lately. */
    readonly isPresent: boolean;
    /** Newest block that it told this node of; null where it tells this node nothing. */
    readonly head: Height | null;
    /** Newest version of the rules that it knows. */
    readonly known: number | null;
  }[];
  /** Connected nodes that are no validators of the set, the highest head first. */
  readonly others: readonly {
    readonly role: 'full' | 'archive';
    readonly head: Height;
    readonly known: number | null;
  }[];
}

/** What the node knows of its peers and of consensus at the moment of the call. */
export interface Network {
  status(): Promise<NetworkStatus>;
  consensus(): Promise<ConsensusStatus>;
  nodes(): Promise<KnownNodes>;
}
