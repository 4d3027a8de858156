import type { MarginParams, MarketStatus } from '@prime/codec';
import { bigintMax, bigintMin, floorDiv, type MarketId } from '@prime/primitives';
import type { AnyBook } from './book.ts';
import { buySide, type SideIndex, sellSide } from './orderPool.ts';

export interface Market {
  readonly id: MarketId;
  readonly symbol: string;
  /** Wei per base unit. */
  readonly tickSize: bigint;
  /** Base units. */
  readonly lotSize: bigint;
  status: MarketStatus;
  /** Blocks with trades, counted up to the number that liquidations ask for. */
  tradeBlocks: number;
  /** Null: the default of all markets. */
  margin: MarginParams | null;
  /** Price of the latest trade. */
  lastPrice: bigint | null;
  /** Fixed during a block. */
  markPrice: bigint | null;
  /** Replaced when quantities outgrow its numbers. */
  book: AnyBook;
  savedIn: number;
}

/** Price that margin is computed at: mark, else last, else none. */
export const marginPrice = ({ markPrice, lastPrice }: Market): bigint | null => markPrice ?? lastPrice;

function bestPrice(market: Market, side: SideIndex): bigint | null {
  const ticks = market.book.bestTicks(side);
  return ticks === undefined ? null : BigInt(ticks) * market.tickSize;
}

/** Mark price of the next block, from the book and the last trade at the end of this one. */
export const nextMarkPrice = (market: Market): bigint | null =>
  rawMarkPrice(bestPrice(market, buySide), bestPrice(market, sellSide), market.lastPrice);

/**
 * Median of best bid, best ask and last price; with a side missing the one of the others that is harder to move.
 *
 * @see docs/protocol/clob.md, Mark price
 */
export function rawMarkPrice(bid: bigint | null, ask: bigint | null, last: bigint | null): bigint | null {
  if (last === null) return bid === null || ask === null ? null : floorDiv(bid + ask, 2n);
  if (bid === null) return ask === null ? last : bigintMin(last, ask);
  if (ask === null) return bigintMax(last, bid);
  // The book is not crossed, so bid < ask.
  return bigintMax(bid, bigintMin(ask, last));
}

const symbolPattern = /^[A-Za-z0-9._-]+\/[A-Za-z0-9._-]+$/;
const symbolLengthMax = 32;

/** BASE/QUOTE of letters, digits, dot, underscore and hyphen, at most 32 characters. */
export const isMarketSymbol = (symbol: string): boolean =>
  symbol.length <= symbolLengthMax && symbolPattern.test(symbol);
