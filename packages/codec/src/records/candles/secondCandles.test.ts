import { describe, expect, it } from '@jest/globals';
import { type MarketId } from '@prime/primitives';
import fc from 'fast-check';
import { bookAmount, counter, marketId, wei } from '../../testing/arbitraries.ts';
import type { Ohlc, TradedValues } from './candles.ts';
import { decodeSecondCandles, encodeSecondCandles, secondCandleOf } from './secondCandles.ts';

/** Values of a price in their order. */
const ohlc: fc.Arbitrary<Ohlc> = fc.array(bookAmount, { minLength: 1, maxLength: 4 }).map((values) => {
  const sorted = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  return { open: values[0]!, high: sorted.at(-1)!, low: sorted[0]!, close: values.at(-1)! };
});
const traded: fc.Arbitrary<TradedValues> = fc
  .tuple(ohlc, bookAmount, wei, counter)
  .map(([prices, volume, quoteVolume, trades]) => ({ ...prices, volume, quoteVolume, trades }));
const entries = fc.uniqueArray(
  fc.tuple(marketId, fc.record({ traded: fc.option(traded), mark: fc.option(ohlc), index: fc.option(ohlc) })),
  { selector: ([id]) => id, maxLength: 20 },
);

describe('candles of a second', () => {
  it('are read as they were written, by market ascending, whole and one by one', () => {
    fc.assert(
      fc.property(entries, marketId, (made, other) => {
        const bytes = encodeSecondCandles(new Map(made));
        const ascending = made.toSorted(([a], [b]) => a - b);
        expect([...decodeSecondCandles(bytes)]).toEqual(ascending);
        for (const [id, prices] of made) expect(secondCandleOf(bytes, id)).toEqual(prices);
        if (!made.some(([id]) => id === other)) expect(secondCandleOf(bytes, other)).toBeNull();
      }),
    );
  });

  it.each([
    ['none', null, 0],
    ['one that stood still', { open: 300n, high: 300n, low: 300n, close: 300n }, 3],
    ['one that rose', { open: 300n, high: 400n, low: 300n, close: 400n }, 6],
    ['one that fell', { open: 400n, high: 400n, low: 300n, close: 300n }, 6],
    ['one that came back', { open: 300n, high: 400n, low: 300n, close: 300n }, 12],
  ])('a mark, %s, takes the bytes that it needs', (_, mark, length) => {
    const market = 1 as MarketId;
    const empty = encodeSecondCandles(new Map([[market, { traded: null, mark: null, index: null }]]));
    const bytes = encodeSecondCandles(new Map([[market, { traded: null, mark, index: null }]]));
    expect(bytes.length - empty.length).toBe(length);
    expect(secondCandleOf(bytes, market)).toEqual({ traded: null, mark, index: null });
  });
});
