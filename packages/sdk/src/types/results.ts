import type { RefusalError } from '../errors/refusalError.ts';
import type { OrderEndReason, OrderStatus, Trade } from './order.ts';
import type { Address, Hash, Size, TransferDirection, Wei } from './primitives.ts';

/** Where an action was carried out. */
export interface Inclusion {
  /** Of the action. */
  readonly hash: Hash;
  readonly blockNumber: bigint;
}

/** What became of an order that was placed. */
export interface PlacedOrder {
  readonly type: 'order';
  readonly orderId: number;
  readonly marketId: number;
  /** open and partially_filled rest. */
  readonly status: OrderStatus;
  readonly filled: Size;
  readonly remaining: Size;
  /** What self-trade prevention took off: filled + remaining + decremented is the size. */
  readonly decremented: Size;
  /** Why an order ended that neither rests nor is filled; else null. */
  readonly reason: OrderEndReason | null;
  readonly trades: readonly Trade[];
}

/** An order that its owner took out of the book. */
export interface CancelledOrder {
  readonly type: 'cancel';
  readonly orderId: number;
  /** What was left of it. */
  readonly remaining: Size;
}

/** Orders that one action took out of the book. */
export interface CancelledOrders {
  readonly type: 'cancelAll';
  /** Ascending. */
  readonly orderIds: readonly number[];
}

/** Result of one item of a batch: a refused one does not stop the others. */
export type BatchItemResult =
  | ({ readonly ok: true } & (PlacedOrder | CancelledOrder | CancelledOrders))
  | { readonly ok: false; readonly error: RefusalError };

/** What each item of a batch did; a refused one does not undo the others. */
export interface BatchResult {
  readonly type: 'batch';
  /** In the order of the items. */
  readonly results: readonly BatchItemResult[];
}

/** Wei that became collateral. */
export interface Deposit {
  readonly type: 'deposit';
  readonly address: Address;
  readonly amount: Wei;
  /** Afterwards. */
  readonly collateral: Wei;
}

/** Collateral that moved to another account. */
export interface CollateralTransfer {
  readonly type: 'transfer';
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
  /** What the sender has left. */
  readonly collateral: Wei;
}

/** Where a sub-account is, and whose. */
export interface CreatedSubAccount {
  readonly type: 'createSubAccount';
  readonly address: Address;
  readonly owner: Address;
  readonly index: number;
}

/** A transfer that waits in the queue of its direction. */
export interface QueuedTransfer {
  readonly type: 'transferQueued';
  readonly transferId: number;
  readonly direction: TransferDirection;
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}

/** A transfer that left its queue, carried out or sent back. */
export interface ProcessedTransfer {
  readonly transferId: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
  readonly status: 'completed' | 'failed';
  /** Why it failed and went back; else null. */
  readonly reason: string | null;
}

/** Transfers of one direction that one action carried out. */
export interface DequeuedTransfers {
  readonly type: 'dequeued';
  readonly processed: readonly ProcessedTransfer[];
  /** Transfers of that direction that still wait. */
  readonly pending: number;
}

/** Id of a new market, which orders name it by. */
export interface AddedMarket {
  readonly type: 'addMarket';
  readonly marketId: number;
}

/** Margin in basis points of a position's notional: 10 000 is all of it. */
export interface MarginSet {
  readonly type: 'setMargin';
  /** Null is the default of all markets without margin of their own. */
  readonly marketId: number | null;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

/** A position of somebody else that was closed against a liquidated one. */
export interface Deleverage {
  readonly address: Address;
  readonly size: Size;
  readonly value: Wei;
}

/** How one position was closed: what the book took, what the insurance fund paid, and what went to the other side. */
export interface LiquidatedPosition {
  readonly marketId: number;
  /** Before; negative is short. */
  readonly size: Size;
  readonly closed: Size;
  readonly trades: readonly Trade[];
  /** Paid to the insurance fund. */
  readonly fee: Wei;
  /** Paid by the insurance fund. */
  readonly insurancePaid: Wei;
  readonly adl: readonly Deleverage[];
  /** What is still open: the book had no more for it near the mark. */
  readonly remaining: Size;
}

/** What a liquidation did to one account. */
export interface Liquidation {
  readonly type: 'liquidate';
  readonly address: Address;
  /** In the order in which they were closed. */
  readonly positions: readonly LiquidatedPosition[];
  /** Ascending. */
  readonly cancelledOrders: readonly number[];
  /** Afterwards. */
  readonly collateral: Wei;
  /** Loss that nobody paid: a debt of the markets where it arose. */
  readonly badDebt: Wei;
  /** What the sender got of the fee. */
  readonly reward: Wei;
}

/** Of actions that answer nothing but that they were carried out. */
export interface Done {
  readonly type: 'done';
}
