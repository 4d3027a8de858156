import { describe, expect, it } from '@jest/globals';
import {
  candleIntervalMs,
  candleIntervals,
  candleStart,
  type DomainEvent,
  encodeEventFrames,
  joinCandles,
  noEvents,
} from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import fc from 'fast-check';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { allKept } from '../testing/testGateway.ts';
import { CandleModel, dayCandles, dayInterval, dayStart } from './candles.ts';

const market = 1 as MarketId;
const beginMs = 1_700_006_400_000;
const minuteMs = 60_000;

const trade = (price: number, size = 1): DomainEvent =>
  tradeEvent({ marketId: market, price: BigInt(price), size: BigInt(size) });

const fresh = (): CandleModel => new CandleModel({ oldestMs: allKept, markets: [] });

describe('candles in memory', () => {
  it('a block changes a candle of each interval; one without trades changes none', () => {
    const model = fresh();
    model.add(1 as Height, beginMs + 500, encodeEventFrames([trade(10), trade(12)]));
    model.add(2 as Height, beginMs + 1000, encodeEventFrames([trade(9, 3)]));
    expect(model.changedBy(1 as Height, market, '1s')).toBeNull();
    expect(model.changedBy(2 as Height, market, '1s')).toEqual({
      openTimeMs: beginMs + 1000,
      open: 9n,
      high: 9n,
      low: 9n,
      close: 9n,
      volume: 3n,
      quoteVolume: 27n,
      trades: 1,
    });
    expect(model.changedBy(2 as Height, market, '1d')).toMatchObject({ open: 10n, high: 12n, low: 9n, trades: 3 });
    model.add(3 as Height, beginMs + 1500, noEvents);
    expect(model.changedBy(3 as Height, market, '1d')).toBeNull();
    expect(model.changedBy(2 as Height, 2 as MarketId, '1d')).toBeNull();
  });

  it('one that began before what is kept is not told', () => {
    const model = new CandleModel({ oldestMs: { ...allKept, '1m': beginMs + minuteMs }, markets: [] });
    model.add(1 as Height, beginMs, encodeEventFrames([trade(1)]));
    expect(model.changedBy(1 as Height, market, '1m')).toBeNull();
    expect(model.changedBy(1 as Height, market, '1s')).not.toBeNull();
    model.add(2 as Height, beginMs + minuteMs, encodeEventFrames([trade(1)]));
    expect(model.changedBy(2 as Height, market, '1m')).not.toBeNull();
  });

  it.each([
    [24 * 60 * minuteMs - 1, 2],
    [24 * 60 * minuteMs, 1],
    [24 * 60 * minuteMs + 1, 1],
  ])('the day: %d ms after a trade at the begin of five minutes there are %d in it', (afterMs, trades) => {
    const model = fresh();
    model.add(1 as Height, beginMs, encodeEventFrames([trade(10)]));
    model.add(2 as Height, beginMs + afterMs, encodeEventFrames([trade(11)]));
    expect(model.day(market, beginMs + afterMs)).toMatchObject({ traded: { trades } });
  });

  it('the day moves on without trades, and knows when it began late', () => {
    const model = new CandleModel({ oldestMs: { ...allKept, [dayInterval]: beginMs }, markets: [] });
    model.add(1 as Height, beginMs, encodeEventFrames([trade(10)]));
    expect(model.day(market, beginMs)).toMatchObject({ sinceMs: beginMs, traded: { open: 10n } });
    const nextDay = beginMs + 24 * 60 * minuteMs;
    expect(model.day(market, nextDay)).toEqual({ sinceMs: dayStart(nextDay), traded: null });
    expect(model.day(2 as MarketId, beginMs)).toEqual({ sinceMs: beginMs, traded: null });
  });

  it('a gateway that begins anew with what is stored goes on as one that was there all the time', () => {
    const steps = fc.array(
      fc.record({
        gapMs: fc.constantFrom(1, 999, 1000, 59_000, 299_999, 300_000, 3_600_000, 43_200_000),
        prices: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 3 }),
      }),
      { minLength: 2, maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.nat(), (made, cut) => {
        const always = fresh();
        const all: Traded[] = [];
        let resumed: CandleModel | null = null;
        let timeMs = beginMs;
        for (const [index, { gapMs, prices }] of made.entries()) {
          timeMs += gapMs;
          const height = (index + 1) as Height;
          const events = encodeEventFrames(prices.map((price) => trade(price)));
          always.add(height, timeMs, events);
          for (const price of prices) all.push({ timeMs, price });
          if (index < cut % made.length) continue;
          if (resumed === null) resumed = restored(all, timeMs);
          else {
            resumed.add(height, timeMs, events);
            for (const interval of candleIntervals)
              expect(resumed.changedBy(height, market, interval)).toEqual(always.changedBy(height, market, interval));
          }
          expect(resumed.day(market, timeMs)).toEqual(always.day(market, timeMs));
        }
      }),
    );
  });
});

interface Traded {
  readonly timeMs: number;
  readonly price: number;
}

/** What a start reads from disk. */
function restored(trades: readonly Traded[], headMs: number): CandleModel {
  const single = trades.map(({ timeMs, price }) => {
    const value = BigInt(price);
    const prices = { open: value, high: value, low: value, close: value };
    return { openTimeMs: timeMs, ...prices, volume: 1n, quoteVolume: value, trades: 1 };
  });
  const newest = candleIntervals.flatMap((interval) => {
    const candle = joinCandles(single, candleIntervalMs[interval]).at(-1);
    return candle?.openTimeMs === candleStart(headMs, candleIntervalMs[interval]) ? [[interval, candle]] : [];
  });
  const stored = joinCandles(single, candleIntervalMs[dayInterval]);
  const day = stored.filter(({ openTimeMs }) => openTimeMs >= dayStart(headMs));
  expect(day.length).toBeLessThanOrEqual(dayCandles);
  return new CandleModel({
    oldestMs: allKept,
    markets: [{ marketId: market, newest: Object.fromEntries(newest) as never, day }],
  });
}
