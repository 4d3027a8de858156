import type {
  ActionPayload,
  ActionResult,
  AgentRecord,
  Block,
  ClosedOrder,
  CommitCertificate,
  DomainEvent,
  ExecutionRoots,
  FeeParams,
  Log,
  MarketFunding,
  OrderFields,
  OrdersProof,
  RankedValidator,
  RegisteredValidator,
  Receipt,
  RiskTier,
  SelfTradeMode,
  TradeValue,
} from '@prime/codec';
import type { Filters } from './filters.ts';
import type { Address, Hash, Height, Hex, MarketId, OrderId, TimestampMs } from '@prime/primitives';
import type { Eventual } from './eventual.ts';
import type { Traces } from './tracePorts.ts';

/**
 * What the methods need from the node. Every port may answer later and takes plain data, so that what answers may sit in this
 * thread's memory, behind the bus or in a pool; the gateway implements all of them.
 */
export interface RpcPorts {
  readonly chain: ChainReader;
  readonly state: StateReader;
  readonly pool: TransactionPool;
  readonly actions: Actions;
  readonly network: Network;
  readonly books: OrderBooks;
  readonly ordersProver: OrdersProver;
  readonly accounts: Accounts;
  readonly traces: Traces;
  readonly filters: Filters;
  readonly clock: WallClock;
}

/** The time that this node writes into the blocks that it proposes. */
export interface WallClock {
  /** Milliseconds since the epoch. */
  nowMs(): number;
}

/** What does not change while the node runs. */
export interface NodeInfo {
  readonly chainId: number;
  /** Version of the peer to peer protocol. */
  readonly protocolVersion: number;
  /** `<name>/<version>`. */
  readonly clientVersion: string;
  /** Account that administrative actions (new markets, margin parameters) are made in the name of. */
  readonly adminAccount: Address;
  /** What an order does about its owner's own resting orders when it does not say. */
  readonly selfTrade: SelfTradeMode;
  /** Head from which on the public surface hides metadata of transactions; null is never. */
  readonly privacyForkBlock: number | null;
  readonly limits: RpcLimits;
}

export interface RpcLimits {
  /** Blocks one log or event query may span. */
  readonly logBlockRange: number;
  /** Logs or events one query may return. */
  readonly logCount: number;
  /** Addresses, or alternatives of one topic, in a log filter. */
  readonly filterAlternatives: number;
  /** Gas of one eth_call or eth_estimateGas. */
  readonly callGas: bigint;
  /** Wall-clock time of one trace. */
  readonly traceMs: number;
  /** Headers of one eth_feeHistory. */
  readonly feeHistoryBlocks: number;
  readonly feeHistoryPercentiles: number;
  /** Storage slots that one eth_getProof proves. */
  readonly proofSlots: number;
  /** Bytes of one raw transaction. */
  readonly transactionBytes: number;
  /** How long eth_sendRawTransactionSync waits when the caller does not say, ms. */
  readonly sendSyncMs: number;
  /** The longest that it waits, ms. */
  readonly sendSyncMsMax: number;
  /** Tip in wei that is suggested while the chain has no transactions to learn from. */
  readonly defaultPriorityFee: bigint;
}

export const defaultRpcLimits: RpcLimits = {
  logBlockRange: 100_000,
  logCount: 20_000,
  filterAlternatives: 1000,
  callGas: 50_000_000n,
  traceMs: 10_000,
  feeHistoryBlocks: 1024,
  feeHistoryPercentiles: 100,
  proofSlots: 1024,
  transactionBytes: 128 * 1024,
  sendSyncMs: 20_000,
  sendSyncMsMax: 60_000,
  defaultPriorityFee: 1_000_000_000n,
};

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
  /** Waits until a block holds the transaction or action. @returns false when that took too long */
  untilIncluded(hash: Hash, timeoutMs: number): Promise<boolean>;
  /** @throws PrimeError `RPC_LIMIT_EXCEEDED` */
  logs(query: LogQuery): Promise<readonly LogEntry[]>;
  /** @throws PrimeError `RPC_LIMIT_EXCEEDED` */
  events(query: EventQuery): Promise<readonly EventEntry[]>;
}

export interface AccountState {
  readonly nonce: number;
  readonly balance: bigint;
}

export interface CallRequest {
  readonly from: Address | null;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly gas: bigint | null;
  /** Legacy price; excludes the two fees. */
  readonly gasPrice: bigint | null;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly nonce: number | null;
  readonly accessList: readonly AccessListEntry[] | null;
  /** EIP-7702; empty for what is no set-code transaction. */
  readonly authorizationList: readonly SignedAuthorization[];
  /** State that the call assumes instead of the stored one. */
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: BlockOverrides;
}

/** What a call assumes about one account; null leaves it as it is stored. */
export interface AccountOverride {
  readonly address: Address;
  readonly nonce: bigint | null;
  readonly balance: bigint | null;
  readonly code: Uint8Array | null;
  /** The whole storage; excludes `stateDiff`. */
  readonly state: readonly SlotOverride[] | null;
  /** Slots that differ from the stored ones. */
  readonly stateDiff: readonly SlotOverride[] | null;
  /** The precompile at `address` answers here instead. */
  readonly movePrecompileTo: Address | null;
}

export interface SlotOverride {
  readonly slot: Hash;
  readonly value: Hash;
}

/** What a call assumes about its block; null leaves it as the header says. */
export interface BlockOverrides {
  readonly height: Height | null;
  readonly timestampMs: TimestampMs | null;
  readonly gasLimit: bigint | null;
  readonly feeRecipient: Address | null;
  readonly prevRandao: Hash | null;
  readonly baseFee: bigint | null;
  readonly blobBaseFee: bigint | null;
}

export interface AccessListEntry {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

/** The state after a block, and the header values that code running on it sees. */
export interface StateContext {
  readonly height: Height;
  readonly stateRoot: Hash;
  readonly timestampMs: TimestampMs;
  readonly proposer: Address;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly parentHash: Hash;
}

/** How a call on a fixed state ended. */
export type CallOutcome =
  | { readonly status: 'success'; readonly output: Hex; readonly gasUsed: bigint }
  | { readonly status: 'revert'; readonly output: Hex; readonly gasUsed: bigint }
  /** `message` in go-ethereum's words: `out of gas`, `invalid opcode: …`, `insufficient funds …`. */
  | { readonly status: 'failure'; readonly message: string; readonly gasUsed: bigint };

/** A state by its block's height and its root. */
export type StateRef = Pick<StateContext, 'height' | 'stateRoot'>;

/** An account and storage slots with what proves them under the state root (EIP-1186). */
export interface AccountProof {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Hash;
  readonly storageRoot: Hash;
  /** Encodings of the trie's nodes from the root down. */
  readonly proof: readonly Hex[];
  /** In the order asked. */
  readonly slots: readonly { readonly slot: Hash; readonly value: bigint; readonly proof: readonly Hex[] }[];
}

/**
 * State after a block that this node keeps.
 *
 * All methods throw PrimeError `RPC_STATE_NOT_KEPT` for an older one.
 */
export interface StateReader {
  account(address: Address, at: StateContext): Eventual<AccountState>;
  code(address: Address, at: StateContext): Promise<Hex>;
  storage(address: Address, slot: Hash, at: StateContext): Promise<Hash>;
  proof(address: Address, slots: readonly Hash[], at: StateRef): Promise<AccountProof>;
  call(request: CallRequest, at: StateContext): Eventual<CallOutcome>;
  /** `success` has the estimate as its gasUsed. */
  estimateGas(request: CallRequest, at: StateContext): Promise<CallOutcome>;
}

export interface PoolStatus {
  readonly pending: number;
  readonly queued: number;
}

/** An EVM transaction that waits. */
export interface PooledEntry {
  /** `queued` waits behind a gap of nonces. */
  readonly status: 'pending' | 'queued';
  readonly raw: Hex;
  readonly hash: Hash;
  readonly from: Address;
  readonly nonce: number;
}

export interface TransactionPool {
  /**
   * Admits an EIP-2718 transaction, or a native one (0x50).
   *
   * @throws PrimeError with go-ethereum's words as its message
   */
  submit(raw: Hex): Promise<Hash>;
  /** The same for one that must not wait behind a gap of nonces. @throws PrimeError `ENGINE_NONCE_GAP` */
  submitReady(raw: Hex): Promise<Hash>;
  /** Next nonce of the account, pooled transactions counted. */
  pendingNonce(address: Address): Promise<number>;
  status(): Promise<PoolStatus>;
  /** Bytes of a pooled transaction or native one, and its sender or account. */
  transaction(hash: Hash): Promise<{ readonly raw: Hex; readonly from: Address } | null>;
  /**
   * EVM transactions that wait, of one sender or (null) of all; each sender's by nonce ascending.
   *
   * @throws PrimeError `MEMPOOL_CONTENT_TOO_LARGE`
   */
  content(sender: Address | null): Promise<readonly PooledEntry[]>;
  /** What the next block would hold, in order. */
  proposal(): Promise<readonly { readonly raw: Hex; readonly hash: Hash; readonly from: Address }[]>;
}

/** The caller's own signature, over the typed data of the action (EIP-712). */
export interface ActionAuthorization {
  /** Milliseconds, unique for the signer. */
  readonly nonce: number;
  /** Block time in ms after which it is not executed; 0 is never. */
  readonly expiresAt: number;
  /** 65 bytes r | s | yParity. */
  readonly signature: Uint8Array;
}

export interface ActionRequest {
  readonly account: Address;
  readonly payload: ActionPayload;
  /** null: the node vouches for it, where the network allows that, or signs with the account's key when it holds it. */
  readonly authorization: ActionAuthorization | null;
}

export interface ExecutedAction {
  readonly hash: Hash;
  readonly height: Height;
  readonly result: ActionResult;
}

export interface Actions {
  /**
   * Has an action ordered by consensus and answers after the block that executed it is committed.
   *
   * @throws PrimeError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_ACCOUNT_LOCKED` without an authorization that is needed;
   *         `RPC_ACTION_NOT_EXECUTED` when that took too long: the outcome is unknown
   */
  submit(request: ActionRequest): Promise<ExecutedAction>;
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

export interface OrdersProver {
  /** Proof of a record, or of its absence, at the newest executed block. @param key as clobRecords.ts makes it */
  prove(key: Uint8Array): Promise<OrdersProof>;
}

export interface PriceLevel {
  /** Wei per size unit. */
  readonly price: bigint;
  readonly size: bigint;
}

/** Aggregated levels, both sides ascending by price. */
export interface OrderBook {
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

export interface Market {
  readonly marketId: MarketId;
  readonly symbol: string;
  readonly tickSize: bigint;
  readonly lotSize: bigint;
}

export interface OpenOrder
  extends Pick<OrderFields, 'marketId' | 'side' | 'price' | 'size' | 'tif' | 'clientId' | 'expiresAt'> {
  readonly orderId: OrderId;
  readonly owner: Address;
  readonly remaining: bigint;
  readonly createdHeight: Height;
}

/** A market with what is known about its prices, and the margin that applies in it. */
export interface MarketInfo extends Market {
  readonly status: 'open' | 'closed';
  readonly lastPrice: bigint | null;
  /** Of the block to come. */
  readonly markPrice: bigint | null;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
  /** Absent: trades are free. */
  readonly fees?: FeeParams;
  /** Absent: margin does not depend on size. */
  readonly riskTiers?: readonly RiskTier[];
  /** Absent: none, or not yet. */
  readonly funding?: MarketFunding;
}

export interface PositionInfo {
  readonly marketId: MarketId;
  /** Base units, negative is short. */
  readonly size: bigint;
  /** Notional at which it was opened, wei. */
  readonly entry: bigint;
  /** What closing it at the margin price would realize, wei; null without a price. */
  readonly unrealized: bigint | null;
  /** What it gets (negative: pays) when it settles; absent on networks without funding. */
  readonly funding?: bigint;
}

/** An account of the order book at the head, at the mark prices of the block to come; amounts in wei. */
export interface MarginAccount {
  readonly address: Address;
  readonly collateral: bigint;
  readonly equity: bigint;
  readonly initialMargin: bigint;
  readonly maintenanceMargin: bigint;
  /** Equity less margin and losses of open orders. */
  readonly freeCollateral: bigint;
  readonly withdrawable: bigint;
  readonly isLiquidatable: boolean;
  /** Unsigned actions are not accepted any more. */
  readonly isLocked: boolean;
  /** By market id. */
  readonly positions: readonly PositionInfo[];
  readonly openOrders: number;
  /** Of all positions, in the equity and not in the collateral; absent on networks without funding. */
  readonly unsettledFunding?: bigint;
}

/** An order that is gone, while it is remembered. */
export interface ClosedOrderInfo extends ClosedOrder {
  readonly closedHeight: Height;
}

export type OrderInfo =
  | { readonly isOpen: true; readonly order: OpenOrder }
  | { readonly isOpen: false; readonly order: ClosedOrderInfo };

export type OrderKey =
  | { readonly orderId: OrderId }
  /** The live order with it, else the latest that is remembered. */
  | { readonly owner: Address; readonly clientId: string };

export interface MarketTrade extends TradeValue {
  readonly height: Height;
}

/** A key that may sign for an account, or might once. */
export type AgentInfo = Omit<AgentRecord, 'account'>;

export interface OrderBooks {
  market(id: MarketId): Promise<Market | null>;
  /** By id. */
  allMarkets(): Promise<readonly MarketInfo[]>;
  /** Zeros for an account that has nothing. */
  account(address: Address): Promise<MarginAccount>;
  /** Live and revoked ones, by address. */
  agents(account: Address): Promise<readonly AgentInfo[]>;
  /** null when there is no such order, or it is forgotten. */
  order(key: OrderKey): Promise<OrderInfo | null>;
  /** Newest first, as far as they are kept. */
  trades(id: MarketId, limit: number): Promise<readonly MarketTrade[]>;
  /** null when the market does not exist. */
  orderBook(id: MarketId): Promise<OrderBook | null>;
  /** By order id. */
  openOrders(owner: Address): Promise<readonly OpenOrder[]>;
  /** Owner of an open order. */
  orderOwner(id: OrderId): Promise<Address | null>;
}

/** EIP-7702: an account names the contract whose code it runs. */
export interface SignedAuthorization {
  readonly chainId: bigint;
  readonly address: Address;
  readonly nonce: bigint;
  readonly yParity: bigint;
  readonly r: bigint;
  readonly s: bigint;
}

/** A transaction that the node is asked to sign; what is null the account service fills in. */
export interface SendRequest {
  readonly from: Address;
  readonly to: Address | null;
  readonly value: bigint;
  readonly data: Hex;
  readonly gas: bigint;
  readonly nonce: number | null;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly SignedAuthorization[];
  readonly fees:
    | { readonly kind: 'legacy'; readonly gasPrice: bigint }
    | { readonly kind: 'dynamic'; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint };
}

export interface Accounts {
  /** Accounts that the node holds unlocked. */
  addresses(): Promise<readonly Address[]>;
  /**
   * Signs and submits. Calls for one account are carried out in their order, so parallel ones get consecutive nonces.
   *
   * @throws PrimeError `RPC_UNKNOWN_ACCOUNT`, or what {@link TransactionPool.submit} throws
   */
  send(request: SendRequest): Promise<Hash>;
  /** Signs only. @returns the EIP-2718 encoding @throws PrimeError `RPC_UNKNOWN_ACCOUNT` */
  sign(request: SendRequest): Promise<Hex>;
  /** EIP-191 signature of a message, 65 bytes r | s | v with v 27 or 28. @throws PrimeError `RPC_UNKNOWN_ACCOUNT` */
  signMessage(address: Address, message: Hex): Promise<Hex>;
  /** 65 bytes r | s | v over 32 bytes. @throws RpcError `RPC_UNKNOWN_ACCOUNT` */
  signDigest(address: Address, digest: Hex): Promise<Hex>;
}
