import { toQuantity, type Hex, type MarketId, type OrderId } from '@prime/primitives';
import type { BlockRecord, MarginAccount, PriceLevel, Ticker } from '../ports/ports.ts';
import type { Json } from '../format/format.ts';
import { formatAccount } from '../orders/accounts.ts';
import { formatLevel, formatTicker } from '../orders/tickers.ts';
import { blockFields } from './streamMessages.ts';

/**
 * Notifications of what stands, and not of what happened: books, best prices, tickers, accounts. A newer one is worth more than those
 * before, so a slow reader gets fewer of them. docs/protocol/streams.md describes them.
 */

/** What both kinds of book messages have; `entry` is a level or an order. */
interface BookOf<entry> {
  readonly type: 'snapshot' | 'update';
  readonly marketId: MarketId;
  /** Newest block: the message is about the book after it. */
  readonly head: BlockRecord;
  /** Height of the newest block that changed the book. */
  readonly sequence: number;
  /** Sequence of the state that an update has to be applied to; null for a snapshot. */
  readonly previous: number | null;
  readonly bids: readonly entry[];
  readonly asks: readonly entry[];
  /** Of the book afterwards; of a snapshot in parts the book of all of them. */
  readonly checksum: Hex;
  /** Of a snapshot: which part it is, from 1 on, and how many there are. */
  readonly part?: { readonly at: number; readonly count: number };
}

/** A book, or what a block changed in one: sizes that levels have now, 0 where one is gone. */
export interface BookMessage extends BookOf<PriceLevel> {}

/** An order that rests: as much as a book shows of it. */
export interface BookOrder extends PriceLevel {
  readonly orderId: OrderId;
}

/** A book order by order, or what a block changed in one: sizes that orders have now, 0 where one is gone. */
export interface BookOrdersMessage extends BookOf<BookOrder> {}

const formatOrder = ({ orderId, price, size }: BookOrder): Json => ({
  order_id: toQuantity(orderId),
  price: toQuantity(price),
  size: toQuantity(size),
});

const formatBook = <entry>(message: BookOf<entry>, format: (value: entry) => Json): Json => ({
  type: message.type,
  market_id: message.marketId,
  ...blockFields(message.head),
  sequence: message.sequence,
  ...(message.previous === null ? {} : { previous_sequence: message.previous }),
  ...(message.part === undefined ? {} : { part: message.part.at, parts: message.part.count }),
  bids: message.bids.map(format),
  asks: message.asks.map(format),
  checksum: message.checksum,
});

/** Payload of `orderBook`: a snapshot, or changed levels that follow the message with the sequence `previous_sequence`. */
export const bookMessage = (message: BookMessage): Json => formatBook(message, formatLevel);

/** Payload of `bookOrders`: the same of single orders. */
export const bookOrdersMessage = (message: BookOrdersMessage): Json => formatBook(message, formatOrder);

/** The best level of each side; null where a side is empty. */
export interface BestLevels {
  readonly bid: PriceLevel | null;
  readonly ask: PriceLevel | null;
}

/** Payload of `bbo`. */
export const bboMessage = (head: BlockRecord, marketId: MarketId, { bid, ask }: BestLevels): Json => ({
  ...blockFields(head),
  market_id: marketId,
  best_bid: bid === null ? null : formatLevel(bid),
  best_ask: ask === null ? null : formatLevel(ask),
});

/** Payload of `ticker`: one of `primeorders_getTickers`. */
export const tickerMessage = (head: BlockRecord, ticker: Ticker): Json => ({
  ...blockFields(head),
  ticker: formatTicker(ticker),
});

/** Payload of `account`: what `primeorders_getAccount` answers. */
export const accountMessage = (head: BlockRecord, account: MarginAccount): Json => ({
  ...blockFields(head),
  account: formatAccount(account),
});
