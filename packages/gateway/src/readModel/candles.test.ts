import { describe, expect, it } from '@jest/globals';
import {
  type Candle,
  candleIntervalMs,
  candleIntervals,
  type CandleSource,
  candleStart,
  type DomainEvent,
  encodeEventFrames,
  joinCandles,
  marketPricesIn,
  noEvents,
  noPrices,
} from '@prime/codec';
import type { Height, MarketId } from '@prime/primitives';
import fc from 'fast-check';
import { marketWrite } from '../testing/marketWrite.ts';
import { tradeEvent } from '../testing/tradeEvent.ts';
import { allKept } from '../testing/testGateway.ts';
import { CandleModel, dayCandles, dayInterval, dayStart } from './candles.ts';

const market = 1 as MarketId;
const beginMs = 1_700_006_400_000;
const minuteMs = 60_000;

const trade = (price: number, size = 1): DomainEvent =>
  tradeEvent({ marketId: market, price: BigInt(price), size: BigInt(size) });
/** A block with these trades, and with this mark where it writes the market's record. */
const block = (trades: readonly DomainEvent[], mark: number | null = null): CandleSource => ({
  events: encodeEventFrames(trades),
  records: mark === null ? [] : [marketWrite(market, { markPrice: BigInt(mark) })],
});
const nothing: CandleSource = { events: noEvents, records: [] };

const fresh = (): CandleModel => new CandleModel({ oldestMs: allKept, markets: [] });

describe('candles in memory', () => {
  it('a block changes a candle of each interval; one without trades changes none', () => {
    const model = fresh();
    model.add(1 as Height, beginMs + 500, block([trade(10), trade(12)]));
    model.add(2 as Height, beginMs + 1000, block([trade(9, 3)]));
    expect(model.changedBy(1 as Height, market, '1s')).toBeNull();
    expect(model.changedBy(2 as Height, market, '1s')).toEqual({
      openTimeMs: beginMs + 1000,
      traded: { open: 9n, high: 9n, low: 9n, close: 9n, volume: 3n, quoteVolume: 27n, trades: 1 },
      mark: null,
      index: null,
    });
    const day = model.changedBy(2 as Height, market, '1d');
    expect(day).toMatchObject({ traded: { open: 10n, high: 12n, low: 9n, trades: 3 } });
    model.add(3 as Height, beginMs + 1500, nothing);
    expect(model.changedBy(3 as Height, market, '1d')).toBeNull();
    expect(model.changedBy(2 as Height, 2 as MarketId, '1d')).toBeNull();
  });

  it('a mark that moved changes them without a trade, and begins with what it was; a record that is written anew does not', () => {
    const model = fresh();
    model.add(1 as Height, beginMs, block([], 10));
    model.add(2 as Height, beginMs + 1000, block([], 10));
    expect(model.changedBy(2 as Height, market, '1m')).toBeNull();
    model.add(3 as Height, beginMs + 2000, block([], 8));
    const mark = { open: 10n, high: 10n, low: 8n, close: 8n };
    expect(model.changedBy(3 as Height, market, '1s')).toMatchObject({ traded: null, mark, index: null });
    model.add(4 as Height, beginMs + 3000, block([trade(5)]));
    const still = { open: 8n, high: 8n, low: 8n, close: 8n };
    expect(model.changedBy(4 as Height, market, '1s')).toMatchObject({ traded: { trades: 1 }, mark: still });
    expect(model.day(market, beginMs + 3000)).toMatchObject({ traded: { trades: 1 } });
  });

  it('one that began before what is kept is not told', () => {
    const model = new CandleModel({ oldestMs: { ...allKept, '1m': beginMs + minuteMs }, markets: [] });
    model.add(1 as Height, beginMs, block([trade(1)]));
    expect(model.changedBy(1 as Height, market, '1m')).toBeNull();
    expect(model.changedBy(1 as Height, market, '1s')).not.toBeNull();
    model.add(2 as Height, beginMs + minuteMs, block([trade(1)]));
    expect(model.changedBy(2 as Height, market, '1m')).not.toBeNull();
  });

  it.each([
    [24 * 60 * minuteMs - 1, 2],
    [24 * 60 * minuteMs, 1],
    [24 * 60 * minuteMs + 1, 1],
  ])('the day: %d ms after a trade at the begin of five minutes there are %d in it', (afterMs, trades) => {
    const model = fresh();
    model.add(1 as Height, beginMs, block([trade(10)]));
    model.add(2 as Height, beginMs + afterMs, block([trade(11)]));
    expect(model.day(market, beginMs + afterMs)).toMatchObject({ traded: { trades } });
  });

  it('the day moves on without trades, and knows when it began late', () => {
    const model = new CandleModel({ oldestMs: { ...allKept, [dayInterval]: beginMs }, markets: [] });
    model.add(1 as Height, beginMs, block([trade(10)]));
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
        mark: fc.option(fc.integer({ min: 1, max: 9 })),
      }),
      { minLength: 2, maxLength: 30 },
    );
    fc.assert(
      fc.property(steps, fc.nat(), (made, cut) => {
        const always = fresh();
        const single: Candle[] = [];
        let mark: number | null = null;
        let resumed: CandleModel | null = null;
        let timeMs = beginMs;
        for (const [index, step] of made.entries()) {
          timeMs += step.gapMs;
          const height = (index + 1) as Height;
          const source = block(
            step.prices.map((price) => trade(price)),
            step.mark,
          );
          always.add(height, timeMs, source);
          mark = step.mark ?? mark;
          // The shortest candle has all of a block, if the model is right; longer ones are joined of these.
          const alone = new CandleModel(startOf(single.at(-1)?.mark?.close ?? null, [], timeMs));
          alone.add(height, timeMs, source);
          const own = alone.changedBy(height, market, '1s');
          if (own !== null) single.push({ ...own, openTimeMs: timeMs });
          if (index < cut % made.length) continue;
          if (resumed === null) resumed = new CandleModel(startOf(mark === null ? null : BigInt(mark), single, timeMs));
          else {
            resumed.add(height, timeMs, source);
            for (const interval of candleIntervals)
              expect(resumed.changedBy(height, market, interval)).toEqual(always.changedBy(height, market, interval));
          }
          expect(resumed.day(market, timeMs)).toEqual(always.day(market, timeMs));
        }
      }),
    );
  });
});

/** What a start reads from disk. @param single what each block did, at its time */
function startOf(mark: bigint | null, single: readonly Candle[], headMs: number) {
  const newest = candleIntervals.flatMap((interval) => {
    const candle = joinCandles(single, candleIntervalMs[interval]).at(-1);
    return candle?.openTimeMs === candleStart(headMs, candleIntervalMs[interval]) ? [[interval, candle]] : [];
  });
  const stored = joinCandles(single, candleIntervalMs[dayInterval]);
  const day = stored.filter(({ openTimeMs }) => openTimeMs >= dayStart(headMs));
  expect(day.length).toBeLessThanOrEqual(dayCandles);
  const prices = mark === null ? noPrices : marketPricesIn(marketWrite(market, { markPrice: mark }).value);
  return {
    oldestMs: allKept,
    markets: [{ marketId: market, prices, newest: Object.fromEntries(newest) as never, day }],
  };
}
