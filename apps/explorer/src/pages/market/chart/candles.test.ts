import { describe, expect, it } from '@jest/globals';
import { type Candle, createMarketUnits, type Market } from '@prime/sdk';
import { candlesMax, createDrawing, drawn, mergeCandles, withoutGaps } from './candles.ts';

const candle = (openTimeMs: number, close = 100n): Candle => ({
  openTimeMs,
  closeTimeMs: openTimeMs + 1_000,
  open: 100n,
  high: close > 100n ? close : 100n,
  low: 100n,
  close,
  volume: 5n,
  quoteVolume: 500n,
  trades: 1,
  mark: null,
  index: null,
});
const grid = { symbol: 'ETH/USD', tickSize: 5n, lotSize: 10n, baseDecimals: 16, quoteDecimals: 18 };
const market = { ...createMarketUnits(grid), ...grid } as unknown as Market;
const flat = (time: number, price: number | null, volume = 0, lines: { mark?: number; index?: number } = {}) => ({
  time,
  bar: price === null ? null : { open: price, high: price, low: price, close: price },
  volume,
  mark: lines.mark ?? null,
  index: lines.index ?? null,
});
const ohlc = (close: bigint) => ({ open: 1n, high: close, low: 1n, close });

describe('candles', () => {
  it('that are told again replace what was known', () => {
    const merged = mergeCandles([candle(0), candle(1_000)], [candle(1_000, 120n), candle(2_000)]);
    expect(merged.map(({ openTimeMs, close }) => [openTimeMs, close])).toEqual([
      [0, 100n],
      [1_000, 120n],
      [2_000, 100n],
    ]);
  });

  it('are bounded: the oldest go', () => {
    const many = Array.from({ length: candlesMax + 5 }, (_, index) => candle(index * 1_000));
    const merged = mergeCandles(many, []);
    expect(merged).toHaveLength(candlesMax);
    expect(merged[0]!.openTimeMs).toBe(5_000);
  });

  it('are drawn in whole units, with where mark and index stood in the end', () => {
    expect(drawn({ ...candle(7_000, 301_255n), mark: ohlc(301_300n), index: ohlc(301_400n) }, market)).toEqual({
      time: 7,
      bar: { open: 1, high: 3_012.55, low: 1, close: 3_012.55 },
      volume: Number(market.formatSize(5n)),
      mark: 3_013,
      index: 3_014,
    });
  });

  it('have no prices of trades where only mark or index moved', () => {
    const untraded = { ...candle(7_000), open: null, high: null, low: null, close: null, trades: 0, mark: ohlc(500n) };
    expect(drawn(untraded, market)).toMatchObject({ bar: null, mark: 5, index: null });
  });

  it('that come again are read once', () => {
    let count = 0;
    const formatPrice = (price: bigint): string => {
      count++;
      return market.formatPrice(price);
    };
    const drawing = createDrawing({ ...market, formatPrice });
    const [one, other] = [candle(0), candle(0)];
    expect(drawing(one)).toBe(drawing(one));
    expect(count).toBe(4);
    expect(drawing(other)).toEqual(drawing(one));
    expect(count).toBe(8);
  });

  it('have flat ones between them where nothing changed, with mark and index as they stood', () => {
    const candles = [flat(1, 10, 3, { mark: 11 }), flat(4, 12, 1, { mark: 13, index: 14 })];
    expect(withoutGaps(candles, 1_000)).toEqual([
      flat(1, 10, 3, { mark: 11 }),
      flat(2, 10, 0, { mark: 11 }),
      flat(3, 10, 0, { mark: 11 }),
      flat(4, 12, 1, { mark: 13, index: 14 }),
    ]);
  });

  it('are flat where only mark or index moved, and have no prices before the first trade', () => {
    const candles = [flat(1, null, 0, { mark: 9 }), flat(3, 10, 3), flat(4, null, 0, { mark: 8 })];
    expect(withoutGaps(candles, 1_000)).toEqual([
      flat(1, null, 0, { mark: 9 }),
      flat(2, null, 0, { mark: 9 }),
      flat(3, 10, 3),
      flat(4, 10, 0, { mark: 8 }),
    ]);
  });

  it.each([
    [candlesMax - 1, candlesMax],
    [candlesMax, candlesMax],
    [1_000_000, candlesMax],
  ])('%i intervals apart are not more than a chart holds, and end with the newest', (apart, count) => {
    const filled = withoutGaps([flat(0, 1), flat(apart, 2)], 1_000);
    expect(filled).toHaveLength(count);
    expect([filled[0]!.time, filled.at(-1)]).toEqual([apart - count + 1, flat(apart, 2)]);
    expect(filled[0]!.bar!.close).toBe(1);
  });

  it('none are none', () => {
    expect(withoutGaps([], 1_000)).toEqual([]);
  });
});
