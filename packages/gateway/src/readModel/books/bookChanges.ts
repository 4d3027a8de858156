import type { OrderRecord } from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import type { PriceLevel } from '@prime/rpc';
import type { BookSide } from './bookSide.ts';

/** What blocks change in the order books, for those who follow them. */

/** Levels of a book that a block changed, with the sizes that they have now: 0 where one is gone. */
export interface BookChange {
  readonly previous: number;
  readonly sequence: number;
  /** Ascending by price. */
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

/** An order that a block wrote; null where there was none before, or is none any more. */
export interface OrderChange {
  readonly before: OrderRecord | null;
  readonly after: OrderRecord | null;
}

/** Orders of one market that a block placed, changed or took away. */
export interface BookOrdersChange {
  readonly previous: number;
  readonly sequence: number;
  readonly orders: readonly OrderChange[];
}

/** What a block changed in the order books, for subscribers; what it did not touch is left out. */
export interface OrderBookChanges {
  readonly books: ReadonlyMap<MarketId, BookChange>;
  readonly orders: ReadonlyMap<OrderId, OrderChange>;
  /** The same by market, those that came and went left out. */
  readonly bookOrders: ReadonlyMap<MarketId, BookOrdersChange>;
  /** Markets whose record was written: prices, funding, terms. */
  readonly markets: ReadonlySet<MarketId>;
  /** Accounts of which a record, an order or a scheduled cancel was written. */
  readonly accounts: ReadonlySet<Address>;
}

/** The best levels of a book, the very best first. */
export interface TopOfBook {
  readonly bids: readonly PriceLevel[];
  readonly asks: readonly PriceLevel[];
}

/** Whether who looks at the book order by order sees a difference. */
export const isOtherInBook = ({ before, after }: OrderChange): boolean =>
  before?.remaining !== after?.remaining || before?.price !== after?.price || before?.side !== after?.side;

/** The middle of the best prices, rounded down; null while a side is empty. */
export function midOf({ bids: [bid], asks: [ask] }: TopOfBook): bigint | null {
  return bid === undefined || ask === undefined ? null : (bid.price + ask.price) / 2n;
}

/** The levels that have another size than before, ascending by price. @param previous sizes of those that were touched */
export const changedLevels = (side: BookSide, previous: ReadonlyMap<bigint, bigint>): PriceLevel[] =>
  [...previous]
    .map(([price, size]) => ({ price, size: side.sizeAt(price), before: size }))
    .filter((level) => level.size !== level.before)
    .map(({ price, size }) => ({ price, size }))
    .sort((a, b) => (a.price < b.price ? -1 : 1));
