import {
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  type CandleSource,
  candlesOfBlock,
  candleStart,
  type CandleValues,
  type MarketPrices,
  mergeCandles,
  mergeTraded,
  noPrices,
  type TradedValues,
} from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import type { DayStatistics } from '@prime/rpc';

/** Candles of what the latest blocks traded and of the prices that they set, and the sums of the last 24 hours, from memory. */

/** The day of a ticker is counted in candles of this interval: the one that still grows and those before it, 24 hours together. */
export const dayInterval: CandleInterval = '5m';

/** Candles in a day of a ticker: 288. */
export const dayCandles = candleIntervalMs['1d'] / candleIntervalMs[dayInterval];

/** What was traded in one step of a day. */
interface DayCandle extends TradedValues {
  readonly openTimeMs: number;
}

/** What happened in a market before the gateway began. */
export interface MarketCandles {
  readonly marketId: MarketId;
  /** At the head. */
  readonly prices: MarketPrices;
  /** The candles that hold the head's time; absent where nothing happened in them. */
  readonly newest: Partial<Readonly<Record<CandleInterval, Candle>>>;
  /** Of {@link dayInterval}, ascending, at most {@link dayCandles} of them. */
  readonly day: readonly Candle[];
}

/** What the candles begin with, read from the state at the head. */
export interface CandlesAtStart {
  /** Begin of the oldest whole candle of each interval, ms. */
  readonly oldestMs: Readonly<Record<CandleInterval, number>>;
  readonly markets: readonly MarketCandles[];
}

interface Kept {
  prices: MarketPrices;
  readonly newest: Partial<Record<CandleInterval, Candle>>;
  readonly day: DayCandle[];
  /** Newest block that changed candles of the market; null before the first since the start. */
  changedAt: Height | null;
}

const grown = (previous: Candle | undefined, openTimeMs: number, values: CandleValues): Candle =>
  previous?.openTimeMs === openTimeMs ? { openTimeMs, ...mergeCandles(previous, values) } : { openTimeMs, ...values };

/** The candle of each interval that still grows, and those of the last 24 hours, by market. Prices are in wei. */
export class CandleModel {
  private readonly markets = new Map<MarketId, Kept>();
  private readonly oldestMs: CandlesAtStart['oldestMs'];

  constructor({ oldestMs, markets }: CandlesAtStart) {
    this.oldestMs = oldestMs;
    for (const { marketId, prices, newest, day } of markets)
      this.markets.set(marketId, { prices, newest: { ...newest }, day: day.flatMap(dayCandle), changedAt: null });
  }

  /** Takes a block; blocks come in their order. */
  add(height: Height, timestampMs: number, block: CandleSource): void {
    const changed = candlesOfBlock(block, (id) => this.markets.get(id)?.prices ?? noPrices);
    for (const [marketId, values] of changed) {
      const kept = this.markets.get(marketId) ?? { prices: noPrices, newest: {}, day: [], changedAt: null };
      this.markets.set(marketId, kept);
      kept.changedAt = height;
      kept.prices = { mark: values.mark?.close ?? null, index: values.index?.close ?? null };
      for (const interval of candleIntervals) {
        const start = candleStart(timestampMs, candleIntervalMs[interval]);
        kept.newest[interval] = grown(kept.newest[interval], start, values);
      }
      if (values.traded !== null) addToDay(kept.day, timestampMs, values.traded);
    }
  }

  /** The candle that a block changed; null where it changed none, or the candle is not whole. */
  changedBy(height: Height, marketId: MarketId, interval: CandleInterval): Candle | null {
    const kept = this.markets.get(marketId);
    const candle = kept?.changedAt === height ? kept.newest[interval] : undefined;
    return candle === undefined || candle.openTimeMs < this.oldestMs[interval] ? null : candle;
  }

  /** @param nowMs time of the head */
  day(marketId: MarketId, nowMs: number): DayStatistics {
    const sinceMs = Math.max(dayStart(nowMs), this.oldestMs[dayInterval]);
    const candles = (this.markets.get(marketId)?.day ?? []).filter(({ openTimeMs }) => openTimeMs >= sinceMs);
    const [first, ...others] = candles;
    return { sinceMs, traded: first === undefined ? null : others.reduce<TradedValues>(mergeTraded, first) };
  }
}

/** Where the last 24 hours begin. */
export const dayStart = (nowMs: number): number => {
  const intervalMs = candleIntervalMs[dayInterval];
  return candleStart(nowMs, intervalMs) - (dayCandles - 1) * intervalMs;
};

const dayCandle = ({ openTimeMs, traded }: Candle): DayCandle[] => (traded === null ? [] : [{ openTimeMs, ...traded }]);

function addToDay(day: DayCandle[], timestampMs: number, traded: TradedValues): void {
  const openTimeMs = candleStart(timestampMs, candleIntervalMs[dayInterval]);
  const last = day.at(-1);
  if (last?.openTimeMs === openTimeMs) day[day.length - 1] = { openTimeMs, ...mergeTraded(last, traded) };
  else day.push({ openTimeMs, ...traded });
  while (day[0]!.openTimeMs < dayStart(timestampMs)) day.shift();
}
