import type { Address, Hex, Price, SelfTradeMode, Side, Size, TimeInForce, Wei } from './primitives.ts';

/** Both fills of one match. */
export interface Trade {
  readonly tradeId: number;
  readonly price: Price;
  readonly size: Size;
  readonly makerOrderId: number;
  readonly takerOrderId: number;
  readonly maker: Address;
  readonly taker: Address;
  /** The taker's. */
  readonly side: Side;
  /** What the taker paid. */
  readonly fee: Wei;
}

/**
 * `open` and `partially_filled` rest; `cancelled` may have been filled in part; `killed` is a fok that found too
 * little.
 */
export type OrderStatus = 'open' | 'partially_filled' | 'filled' | 'cancelled' | 'killed';
/** Why an order ended before it was filled. */
export type OrderEndReason =
  | 'user'
  | 'ioc'
  | 'fok'
  | 'self_trade'
  | 'margin'
  | 'liquidation'
  | 'expired'
  | 'reduce_only'
  | 'scheduled'
  | 'settlement'
  /** Of triggers: it fired, another of its group did (also of an order whose stop or take-profit fired), its position is gone, its order was refused, or the order that it was attached to ended without a fill. */
  | 'fired'
  | 'group'
  | 'position'
  | 'refused'
  | 'parent';

/** `stop` fires when the mark goes against a position that its side closes: a buy at its price or above. `take_profit` the other way. */
export type TriggerKind = 'stop' | 'take_profit';

/** An order that waits until the mark of its market is at a price. It holds no margin until then. */
export interface TriggerRequest {
  /** The market, or its id. */
  readonly market: number | { readonly marketId: number };
  readonly side: Side;
  readonly kind: TriggerKind;
  /** Mark at which it fires: a multiple of the market's tick size. */
  readonly triggerPrice: Price;
  /** Limit of its order. Default: a market order, as far from the mark as the network allows. */
  readonly limitPrice?: Price | undefined;
  /** A multiple of the market's lot size; `position` closes all of it, whatever it is then. */
  readonly size: Size | 'position';
  /** Of the order with a limit. Default gtc; a market order is ioc. */
  readonly tif?: 'gtc' | 'ioc' | undefined;
  /** Default false. */
  readonly reduceOnly?: boolean | undefined;
  /** 16 bytes that name it, and its order, among the account's own. */
  readonly clientId?: Hex | undefined;
  /** Default cancel_maker. */
  readonly selfTrade?: SelfTradeMode | undefined;
  /** Block time after which it is gone, s. Default 0: never. */
  readonly expiresAtSeconds?: number | undefined;
  /** 1 to 4294967295: when one of a group fires, the others of the account go. Default 0: none. */
  readonly group?: number | undefined;
}

/** An order that waits until the mark of its market is at a price. */
export interface Trigger {
  readonly orderId: number;
  readonly marketId: number;
  readonly owner: Address;
  readonly side: Side;
  readonly kind: TriggerKind;
  readonly triggerPrice: Price;
  /** Limit of its order; null for a market order. */
  readonly limitPrice: Price | null;
  readonly size: Size | 'position';
  readonly tif: TimeInForce;
  readonly reduceOnly: boolean;
  readonly clientId: Hex | null;
  readonly createdBlock: bigint;
  /** 0 is never. */
  readonly expiresAtSeconds: number;
  /** 0 is none. */
  readonly group: number;
  /** The mark was there: it fires when its turn comes. */
  readonly isQueued: boolean;
  /** The order that it was placed with, whose fills it closes; null for one that stands for itself. */
  readonly parentOrderId: number | null;
  /** That order filled nothing yet: it waits for no mark. */
  readonly isAsleep: boolean;
}

/** An order that rests in the book. */
export interface OpenOrder {
  readonly orderId: number;
  readonly marketId: number;
  readonly owner: Address;
  readonly side: Side;
  readonly price: Price;
  readonly size: Size;
  readonly filled: Size;
  readonly remaining: Size;
  readonly tif: TimeInForce;
  /** 16 bytes; null for an order without. */
  readonly clientId: Hex | null;
  /** Height of the block in which it came to rest. */
  readonly createdBlock: bigint;
  /** Block time after which it is cancelled, s; 0 is never. */
  readonly expiresAtSeconds: number;
}

/** An order wherever it stands. */
export interface Order extends OpenOrder {
  readonly status: OrderStatus;
  /** What self-trade prevention took off: filled + remaining + decremented is the size. */
  readonly decremented: Size;
  /** Null while it is open, and for a filled one. */
  readonly reason: OrderEndReason | null;
  /** Height of the block in which it ended; null while it is open. */
  readonly closedBlock: bigint | null;
  /** What it waits or waited for, and then its price is the limit of its order, 0 for a market order. */
  readonly trigger?: {
    readonly kind: TriggerKind;
    readonly triggerPrice: Price;
    /** The order that it is attached to, while it waits; else null. */
    readonly parentOrderId: number | null;
  };
}

/** One price of one side of a book, all of its orders together. */
export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}

/** Best price first on both sides. */
export interface OrderBook {
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

/** Options of an order that depend on how long it lives. */
type OrderLife =
  | {
      /** Default gtc. */
      readonly tif?: 'gtc' | undefined;
      /** Refused instead of trading at once. Default false. */
      readonly postOnly?: boolean | undefined;
    }
  | {
      readonly tif: 'ioc' | 'fok';
      readonly postOnly?: false | undefined;
    };

/** Where an order's fills are closed again. */
export interface BracketLeg {
  /** Mark at which it fires: a multiple of the market's tick size. */
  readonly triggerPrice: Price;
  /** Limit of the order that closes. Default: a market order, as far from the mark as the network allows. */
  readonly limitPrice?: Price | undefined;
}

/** An order as somebody wants it, without the account that it is for. */
export type OrderRequest = {
  /** The market, or its id. */
  readonly market: number | { readonly marketId: number };
  readonly side: Side;
  /** Limit: a multiple of the market's tick size. */
  readonly price: Price;
  /** Makes a position smaller and never opens one: what the position has no need of is cut. Default false. */
  readonly reduceOnly?: boolean | undefined;
  /** A multiple of the market's lot size. */
  readonly size: Size;
  /** 16 bytes that name the order among the account's own; `toClientId` makes one. */
  readonly clientId?: Hex | undefined;
  /** Default cancel_maker: the order of one's own that is in the way is cancelled. */
  readonly selfTrade?: SelfTradeMode | undefined;
  /** Block time after which a resting order is cancelled, s. Default 0: never. */
  readonly expiresAtSeconds?: number | undefined;
  /**
   * Closes what the order filled when the mark goes against it; `takeProfit` when it goes in its favour. Both are triggers that sleep until the first
   * fill. When one fires, the other one ends, and what is left of the order. Their ids are the next ones after the order's, the stop's first.
   */
  readonly stop?: BracketLeg | undefined;
  readonly takeProfit?: BracketLeg | undefined;
} & OrderLife;
