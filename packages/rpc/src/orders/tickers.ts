import { toQuantity, toSignedQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import type { Json } from '../format/format.ts';
import type { DayStatistics, MarketInfo, PriceLevel, Ticker } from '../ports/ports.ts';
import { levelResult, orNull, quantityResult, signedQuantityResult } from '../schema/resultSchemas.ts';

/** Tickers as answers and streams write them. */

const price = (value: bigint | null | undefined): string | null => (value == null ? null : toQuantity(value));

/** A level of a book in quantities. */
export const formatLevel = ({ price: wei, size }: PriceLevel): Json => ({
  price: toQuantity(wei),
  size: toQuantity(size),
});
const best = (level: PriceLevel | null): Json | null => (level === null ? null : formatLevel(level));

const bpsPerOne = 10_000n;

function formatDay({ traded, sinceMs }: DayStatistics): Json {
  const change = traded === null ? null : traded.close - traded.open;
  return {
    since_ms: toQuantity(sinceMs),
    open: price(traded?.open),
    high: price(traded?.high),
    low: price(traded?.low),
    close: price(traded?.close),
    change: change === null ? null : toSignedQuantity(change),
    // Towards zero. A price is never 0.
    change_bps: change === null ? null : toSignedQuantity((change * bpsPerOne) / traded!.open),
    volume: toQuantity(traded?.volume ?? 0n),
    quote_volume: toQuantity(traded?.quoteVolume ?? 0n),
    trades: toQuantity(traded?.trades ?? 0),
  };
}

/** What the oracle says: the index, since when it is stale, and the fair price, which is the index and its premium. */
function outsidePrices(oracle: MarketInfo['oracle']): Json {
  const index = oracle?.index ?? null;
  const staleSinceMs = oracle?.staleSinceMs ?? null;
  return {
    index_price: price(index),
    stale_since_ms: staleSinceMs === null ? null : toQuantity(staleSinceMs),
    fair_price: index === null ? null : price(index + oracle!.premium),
  };
}

/** A ticker in snake_case quantities. */
export const formatTicker = ({ market, bestBid, bestAsk, day, openInterest, funding }: Ticker): Json => ({
  market_id: market.marketId,
  symbol: market.symbol,
  status: market.status,
  last_price: price(market.lastPrice),
  mark_price: price(market.markPrice),
  ...outsidePrices(market.oracle),
  best_bid: best(bestBid),
  best_ask: best(bestAsk),
  open_interest: toQuantity(openInterest),
  day: formatDay(day),
  ...(funding === undefined
    ? {}
    : { funding: { rate: toSignedQuantity(funding.rate), next_ms: toQuantity(funding.nextMs) } }),
});

const dayResult = Type.Object({
  since_ms: quantityResult,
  open: orNull(quantityResult),
  high: orNull(quantityResult),
  low: orNull(quantityResult),
  close: orNull(quantityResult),
  change: orNull(signedQuantityResult),
  change_bps: orNull(signedQuantityResult),
  volume: quantityResult,
  quote_volume: quantityResult,
  trades: quantityResult,
});

/** What {@link formatTicker} makes. */
export const tickerResult = Type.Object(
  {
    market_id: Type.Integer(),
    symbol: Type.String(),
    status: Type.String(),
    last_price: orNull(quantityResult),
    mark_price: orNull(quantityResult),
    index_price: orNull(quantityResult),
    stale_since_ms: orNull(quantityResult),
    fair_price: orNull(quantityResult),
    best_bid: orNull(levelResult),
    best_ask: orNull(levelResult),
    open_interest: quantityResult,
    day: dayResult,
    funding: Type.Optional(Type.Object({ rate: signedQuantityResult, next_ms: quantityResult })),
  },
  { title: 'Ticker' },
);
