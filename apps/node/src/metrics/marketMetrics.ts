import type { MarketStanding, ReporterStanding } from '@prime/gateway';
import type { LabelledMetric } from '@prime/telemetry';
import { gauge, type StandingMetric } from './standing.ts';

/** Markets with series of their own, those with the lowest ids: whoever may add markets must not decide how much a Prometheus has to keep. */
export const marketsShownMax = 32;

/** What the gateway says of the markets and of itself; null when it does not answer. */
export interface GatewayStanding {
  readonly markets: { readonly count: number; readonly first: readonly MarketStanding[] } | null;
  readonly reporters: readonly ReporterStanding[] | null;
  /** Open files that no connection of a caller can have. */
  readonly filesHeldBack: number;
}

type MarketMetric = StandingMetric<{ readonly gateway: GatewayStanding | null }>;

const labelNames = ['market', 'symbol'] as const;

/** @param value null is left out */
const ofMarkets = (
  name: string,
  type: LabelledMetric['type'],
  help: string,
  value: (market: MarketStanding) => number | null,
): MarketMetric => ({
  name,
  type,
  help,
  labelNames,
  read: ({ gateway }) =>
    (gateway?.markets?.first ?? []).flatMap((market) => {
      const found = value(market);
      return found === null ? [] : [{ labels: { market: `${market.id}`, symbol: market.symbol }, value: found }];
    }),
});

/** Whole units of the quote for one of the base: near enough for a picture. */
const priceOf = ({ decimals }: MarketStanding, price: bigint | null): number | null =>
  price === null ? null : Number(price) * 10 ** (decimals.baseDecimals - decimals.quoteDecimals);

/** The gap between the best prices as a part of the middle between them; null where a side is empty. */
function spreadOf({ bestBid, bestAsk }: MarketStanding): number | null {
  if (bestBid === null || bestAsk === null) return null;
  const [bid, ask] = [Number(bestBid), Number(bestAsk)];
  return (ask - bid) / ((ask + bid) / 2);
}

/** Series of the markets for Prometheus, read from what the gateway says; none while it does not answer. */
export const marketMetrics: readonly MarketMetric[] = [
  gauge(
    'prime_markets',
    `Markets of the order book; the ${marketsShownMax} with the lowest ids have series of their own.`,
    ({ gateway }) => gateway?.markets?.count,
  ),
  ofMarkets('prime_market_orders', 'gauge', 'Orders that rest in a market.', ({ orders }) => orders),
  ofMarkets(
    'prime_market_trades_total',
    'counter',
    'Trades in a market, from the latest 10 000 blocks before the start on.',
    ({ trades }) => trades,
  ),
  ofMarkets(
    'prime_market_open_interest',
    'gauge',
    'What longs hold in a market, whole units of its base.',
    ({ openInterest, decimals }) => Number(openInterest) / 10 ** decimals.baseDecimals,
  ),
  ofMarkets(
    'prime_market_mark_price',
    'gauge',
    'Price that margin is reckoned with, whole units of the quote; absent before there is one.',
    (market) => priceOf(market, market.markPrice),
  ),
  ofMarkets(
    'prime_market_last_price',
    'gauge',
    'Price of the newest trade, whole units of the quote; absent before there is one.',
    (market) => priceOf(market, market.lastPrice),
  ),
  ofMarkets(
    'prime_market_spread_ratio',
    'gauge',
    'Gap between the best bid and the best ask, as a part of the middle between them; absent where a side is empty.',
    spreadOf,
  ),
  ofMarkets(
    'prime_market_index_price',
    'gauge',
    'Price that validators report from outside, whole units of the quote; absent before there is one.',
    (market) => priceOf(market, market.index?.price ?? null),
  ),
  ofMarkets(
    'prime_market_index_stale_seconds',
    'gauge',
    'For how long too few validators have reported a price of the market, by the time of the newest block; 0 while its index is fresh, absent without oracle.',
    ({ index }) => (index === null ? null : index.staleMs / 1_000),
  ),
];
