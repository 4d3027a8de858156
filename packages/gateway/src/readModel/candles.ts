import {
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  candleStart,
  type CandleValues,
  mergeCandles,
  tradedIn,
} from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import type { DayStatistics } from '@prime/rpc';

/** Candles of what the latest blocks traded, and the sums of the last 24 hours, from memory. */

/** The day of a ticker is counted in candles of this interval: the one that still grows and those before it, 24 hours together. */
export const dayInterval: CandleInterval = '5m';

/** Candles in a day of a ticker: 288. */
export const dayCandles = candleIntervalMs['1d'] / candleIntervalMs[dayInterval];

/** What a market traded before the gateway began. */
export interface MarketCandles {
  readonly marketId: MarketId;
  /** The candles that hold the head's time; absent where it had no trades in them. */
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
  readonly newest: Partial<Record<CandleInterval, Candle>>;
  readonly day: Candle[];
  /** Newest block in which the market traded; null before the first since the start. */
  tradedAt: Height | null;
}

const grown = (previous: Candle | undefined, openTimeMs: number, traded: CandleValues): Candle =>
  previous?.openTimeMs === openTimeMs ? { openTimeMs, ...mergeCandles(previous, traded) } : { openTimeMs, ...traded };

/** The candle of each interval that still grows, and those of the last 24 hours, by market. Prices are in wei. */
export class CandleModel {
  private readonly markets = new Map<MarketId, Kept>();
  private readonly oldestMs: CandlesAtStart['oldestMs'];

  constructor({ oldestMs, markets }: CandlesAtStart) {
    this.oldestMs = oldestMs;
    for (const { marketId, newest, day } of markets)
      this.markets.set(marketId, { newest: { ...newest }, day: [...day], tradedAt: null });
  }

  /** Takes the events of a block, encoded; blocks come in their order. */
  add(height: Height, timestampMs: number, events: Uint8Array): void {
    for (const [marketId, traded] of tradedIn(events)) {
      const kept = this.markets.get(marketId) ?? { newest: {}, day: [], tradedAt: null };
      this.markets.set(marketId, kept);
      kept.tradedAt = height;
      for (const interval of candleIntervals) {
        const start = candleStart(timestampMs, candleIntervalMs[interval]);
        kept.newest[interval] = grown(kept.newest[interval], start, traded);
      }
      const newest = kept.newest[dayInterval]!;
      if (kept.day.at(-1)?.openTimeMs === newest.openTimeMs) kept.day.pop();
      kept.day.push(newest);
      while (kept.day[0]!.openTimeMs < dayStart(timestampMs)) kept.day.shift();
    }
  }

  /** The candle that a block's trades are in; null where it has none, or the candle is not whole. */
  changedBy(height: Height, marketId: MarketId, interval: CandleInterval): Candle | null {
    const kept = this.markets.get(marketId);
    const candle = kept?.tradedAt === height ? kept.newest[interval] : undefined;
    return candle === undefined || candle.openTimeMs < this.oldestMs[interval] ? null : candle;
  }

  /** @param nowMs time of the head */
  day(marketId: MarketId, nowMs: number): DayStatistics {
    const sinceMs = Math.max(dayStart(nowMs), this.oldestMs[dayInterval]);
    const candles = (this.markets.get(marketId)?.day ?? []).filter(({ openTimeMs }) => openTimeMs >= sinceMs);
    const [first, ...others] = candles;
    return { sinceMs, traded: first === undefined ? null : others.reduce<CandleValues>(mergeCandles, first) };
  }
}

/** Where the last 24 hours begin. */
export const dayStart = (nowMs: number): number => {
  const intervalMs = candleIntervalMs[dayInterval];
  return candleStart(nowMs, intervalMs) - (dayCandles - 1) * intervalMs;
};
