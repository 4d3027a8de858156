import { describe, expect, it } from '@jest/globals';
import { type Candle, createMarketUnits, type Market } from '@prime/sdk';
import { candlesMax, drawn, mergeCandles, withoutGaps, withPrice } from './candles.ts';

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
const flat = (time: number, price: number, volume = 0) => ({
  time,
  open: price,
  high: price,
  low: price,
  close: price,
  volume,
});

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

  it('are drawn in whole units', () => {
    expect(drawn(candle(7_000, 301_255n), market)).toMatchObject({ time: 7, open: 1, close: 3_012.55 });
  });

  it('are not drawn where prices moved and nobody traded', () => {
    const untraded = { ...candle(7_000), open: null, high: null, low: null, close: null, trades: 0 };
    expect(drawn(untraded, market)).toBeNull();
  });

  it('have flat ones between them where nobody traded', () => {
    expect(withoutGaps([flat(1, 10, 3), flat(4, 12, 1)], 1_000)).toEqual([
      flat(1, 10, 3),
      flat(2, 10),
      flat(3, 10),
      flat(4, 12, 1),
    ]);
  });

  it('far apart are not more than a chart holds, and end with the newest', () => {
    const filled = withoutGaps([flat(0, 1), flat(1_000_000, 2)], 1_000);
    expect(filled).toHaveLength(candlesMax);
    expect(filled.at(-1)).toEqual(flat(1_000_000, 2));
  });

  it('grow with a trade', () => {
    expect(withPrice(flat(1, 10), 12)).toMatchObject({ open: 10, high: 12, low: 10, close: 12 });
    expect(withPrice(flat(1, 10), 9)).toMatchObject({ high: 10, low: 9, close: 9 });
  });
});
