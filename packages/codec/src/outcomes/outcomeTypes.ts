import type { AccountState } from '../queries/stateTypes.ts';
import type { OrderStatus } from '../actions/orderWords.ts';
import type { Address, Hash, MarketId, OrderId } from '@prime/primitives';
import type { ContractOrigin, Side, TransferDirection } from '../actions/actionTypes.ts';
import type { CancelReason } from '../actions/orderEnds.ts';
import type { Block, CommitCertificate, ExecutionRoots } from '../consensus/consensusTypes.ts';

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

/** Result of one action, by its place among the block's actions. */
export type ActionResult =
  | { readonly ok: true; readonly value: ActionValue }
  | { readonly ok: false; readonly error: ActionError };

/** An expected refusal: code, words and data of docs/protocol; never an exception. */
export interface ActionError {
  /** SCREAMING_SNAKE, see the clob package's errors. */
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, string | number | null>>;
}

/** One match of two orders. Price is wei per base unit, size base units, `fee` the taker's in wei. */
export interface TradeValue {
  readonly tradeId: number;
  readonly price: bigint;
  readonly size: bigint;
  readonly makerOrderId: OrderId;
  readonly takerOrderId: OrderId;
  readonly maker: Address;
  readonly taker: Address;
  /** The taker's side. */
  readonly side: Side;
  readonly fee: bigint;
}

export type { OrderStatus };

/** What an action did, by its type. Sizes are base units, amounts wei. */
export type ActionValue =
  | {
      readonly type: 'order';
      readonly orderId: OrderId;
      readonly marketId: MarketId;
      readonly filled: bigint;
      readonly remaining: bigint;
      readonly trades: readonly TradeValue[];
      readonly status: OrderStatus;
      /** Base units that self-trade prevention took off it: filled + remaining + decremented is its size. */
      readonly decremented: bigint;
      /** Why an order that neither rests nor is filled ended; else null. */
      readonly reason: CancelReason | null;
    }
  | { readonly type: 'cancel'; readonly orderId: OrderId; readonly remaining: bigint }
  | { readonly type: 'addMarket'; readonly marketId: MarketId }
  | { readonly type: 'deposit'; readonly address: Address; readonly amount: bigint; readonly collateral: bigint }
  /** Ascending. */
  | { readonly type: 'cancelAll'; readonly orderIds: readonly OrderId[] }
  | {
      readonly type: 'setMargin';
      readonly marketId: MarketId | null;
      readonly initialMarginBps: number;
      readonly maintenanceMarginBps: number;
    }
  | ({ readonly type: 'liquidate' } & LiquidationValue)
  /** Of withdraw and enqueueEvmToOrders: the transfer waits in its queue. */
  | ({ readonly type: 'transferQueued' } & TransferValue & { readonly direction: TransferDirection })
  | {
      readonly type: 'dequeued';
      readonly direction: TransferDirection;
      /** In the order of their ids. */
      readonly processed: readonly ProcessedTransfer[];
      /** Transfers of that direction that still wait. */
      readonly pending: number;
    }
  /** Collateral that moved to another account; `collateral` is what the sender has left. */
  | {
      readonly type: 'transfer';
      readonly from: Address;
      readonly to: Address;
      readonly amount: bigint;
      readonly collateral: bigint;
    }
  /** Results of the items, in their order; some may be refusals. */
  | { readonly type: 'batch'; readonly results: readonly ActionResult[] }
  /** Of actions that answer nothing but that they were carried out. */
  | { readonly type: 'done' };

/** How a position of a liquidated account was closed. */
export interface LiquidatedPosition {
  readonly marketId: MarketId;
  /** Before, base units; negative is short. */
  readonly size: bigint;
  /** Base units closed, by trades and by deleveraging. */
  readonly closed: bigint;
  /** Against the book. */
  readonly trades: readonly TradeValue[];
  /** Wei that went to the insurance fund. */
  readonly fee: bigint;
  /** Wei that the insurance fund paid. */
  readonly insurancePaid: bigint;
  readonly adl: readonly Deleverage[];
  /** Base units that are still open; 0 in this version. */
  readonly remaining: bigint;
}

/** A position of somebody else that was closed against the liquidated one. */
export interface Deleverage {
  readonly address: Address;
  /** Base units. */
  readonly size: bigint;
  /** Wei that the closed part was closed for. */
  readonly value: bigint;
}

/** What liquidating one account did. */
export interface LiquidationValue {
  readonly address: Address;
  /** In the order in which they were closed. */
  readonly positions: readonly LiquidatedPosition[];
  /** Ascending. */
  readonly cancelledOrders: readonly OrderId[];
  /** Afterwards, wei. */
  readonly collateral: bigint;
  /** Negative collateral that nothing covered, wei. */
  readonly badDebt: bigint;
}

/** Wei that was put into the queue between the domains. */
export interface TransferValue {
  readonly transferId: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

/** A transfer whose turn came. One that failed went back to where it came from. */
export interface ProcessedTransfer extends TransferValue {
  readonly status: 'completed' | 'failed';
  /** Why it failed; null when it did not. */
  readonly reason: string | null;
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
