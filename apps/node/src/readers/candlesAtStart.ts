import { oldestCandle, readCandles } from '@prime/chain';
import {
  type Candle,
  type CandleInterval,
  candleIntervalMs,
  candleIntervals,
  candleStart,
  type MarketPrices,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type CandlesAtStart, dayInterval, dayStart, type MarketCandles } from '@prime/gateway';
import type { MarketId } from '@prime/primitives';

type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** The candles that a gateway goes on from. @param marketPrices of all markets, at the head @param headMs time of the newest block */
export async function candlesAtStart(
  database: Scans,
  marketPrices: ReadonlyMap<MarketId, MarketPrices>,
  headMs: number,
): Promise<CandlesAtStart> {
  const oldest = candleIntervals.map((interval) => [interval, oldestCandle(database, interval)] as const);
  const markets: MarketCandles[] = [];
  for (const [marketId, prices] of marketPrices) {
    const newest: Partial<Record<CandleInterval, Candle>> = {};
    for (const interval of candleIntervals) {
      const start = candleStart(headMs, candleIntervalMs[interval]);
      const [candle] = await readCandles(database, { marketId, interval, fromMs: start, toMs: start });
      if (candle !== undefined) newest[interval] = candle;
    }
    const toMs = candleStart(headMs, candleIntervalMs[dayInterval]);
    const day = await readCandles(database, { marketId, interval: dayInterval, fromMs: dayStart(headMs), toMs });
    markets.push({ marketId, prices, newest, day });
  }
  return { oldestMs: Object.fromEntries(oldest) as Record<CandleInterval, number>, markets };
}
