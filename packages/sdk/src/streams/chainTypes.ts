import type { Address, Hash, Hex } from 'viem';

/** What orders, trades and books are to a reader; amounts are bigints, ids are numbers. */

export type { Address, Hash, Hex };

/** Wei of the quote for one base unit. */
export type Price = bigint;
/** Base units. */
export type Size = bigint;
/** Wei of the quote. */
export type Wei = bigint;

export type Side = 'buy' | 'sell';
/** gtc rests until it is filled or cancelled, ioc never rests, fok is filled whole or not at all. */
export type TimeInForce = 'gtc' | 'ioc' | 'fok';
/** What happens where an account would trade with itself. */
export type SelfTradeMode = 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement';
/** What an agent may do: trade is order and modify, cancel every cancel, liquidate the closing of other accounts. */
export type AgentPermission = 'trade' | 'cancel' | 'liquidate';
/** Why an order ended before it was filled. */
export type OrderEndReason =
  | 'user'
  | 'ioc'
  | 'fok'
  | 'self_trade'
  | 'margin'
  | 'liquidation'
  | 'expired'
  | 'reduce_only';

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

/** One price of one side of a book, all of its orders together. */
export interface PriceLevel {
  readonly price: Price;
  readonly size: Size;
}
