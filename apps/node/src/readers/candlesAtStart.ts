import { oldestCandle, readCandles } from '@prime/chain';
import { type Candle, type CandleInterval, candleIntervalMs, candleIntervals, candleStart } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type CandlesAtStart, dayInterval, dayStart, type MarketCandles } from '@prime/gateway';
import type { MarketId } from '@prime/primitives';

type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** The candles that a gateway goes on from. @param headMs time of the newest block */
export async function candlesAtStart(
  database: Scans,
  marketIds: readonly MarketId[],
  headMs: number,
): Promise<CandlesAtStart> {
  const oldest = candleIntervals.map((interval) => [interval, oldestCandle(database, interval)] as const);
  const markets: MarketCandles[] = [];
  for (const marketId of marketIds) {
    const newest: Partial<Record<CandleInterval, Candle>> = {};
    for (const interval of candleIntervals) {
      const start = candleStart(headMs, candleIntervalMs[interval]);
      const [candle] = await readCandles(database, { marketId, interval, fromMs: start, toMs: start });
      if (candle !== undefined) newest[interval] = candle;
    }
    const toMs = candleStart(headMs, candleIntervalMs[dayInterval]);
    const day = await readCandles(database, { marketId, interval: dayInterval, fromMs: dayStart(headMs), toMs });
    markets.push({ marketId, newest, day });
  }
  return { oldestMs: Object.fromEntries(oldest) as Record<CandleInterval, number>, markets };
}
