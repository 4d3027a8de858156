import { describe, expect, it } from '@jest/globals';
import {
  amountText,
  countOf,
  formatBps,
  formatDecimal,
  formatDuration,
  formatInteger,
  formatMoment,
  formatPercent,
  formatWei,
  listNames,
  priceWords,
  shortHex,
  sizeWords,
} from './words.ts';

describe('numbers as people read them', () => {
  it.each([
    [0n, '0'],
    [999n, '999'],
    [1000n, '1,000'],
    [123456789012345678901n, '123,456,789,012,345,678,901'],
    [1234.5, '1,235'],
    [-1000n, '-1,000'],
  ])('%s in groups', (value, text) => {
    expect(formatInteger(value)).toBe(text);
  });

  it('decimals keep their digits: filled with zeros, cut and never rounded up', () => {
    expect(formatDecimal('1234.5', { digits: 2 })).toBe('1,234.50');
    expect(formatDecimal('-1234.569', { digitsMax: 2 })).toBe('-1,234.56');
    expect(formatDecimal('0.999999', { digitsMax: 2 })).toBe('0.99');
    expect(formatDecimal('5', { digitsMax: 2 })).toBe('5');
    expect(formatDecimal('1.10')).toBe('1.1');
  });

  it('wei are exact', () => {
    expect(formatWei(1n)).toBe('0.000000000000000001');
    expect(formatWei(-1_500_000_000_000_000_000n)).toBe('-1.5');
    expect(formatWei(7n, 0)).toBe('7');
    expect(formatWei(0n)).toBe('0');
  });

  it('amounts are in coins, and in wei where that would look like nothing', () => {
    expect(amountText(1_250_500_000_000_000_000_000n)).toBe('1,250.5 PRIME');
    expect(amountText(-2n * 10n ** 18n)).toBe('−2 PRIME');
    expect([10n ** 12n - 1n, 10n ** 12n, 10n ** 12n + 1n].map((wei) => amountText(wei))).toEqual([
      '999,999,999,999 wei',
      '0.000001 PRIME',
      '0.000001 PRIME',
    ]);
    expect([amountText(0n), amountText(-37n)]).toEqual(['0 PRIME', '−37 wei']);
  });

  it('durations, moments and shares', () => {
    expect([0, 999, 1_000, 12_345, 90_000, 7_200_000, 47.9 * 3.6e6, 48 * 3.6e6].map(formatDuration)).toEqual([
      '0 ms',
      '999 ms',
      '1.00 s',
      '12.3 s',
      '1.5 min',
      '2.0 h',
      '47.9 h',
      '2.0 days',
    ]);
    expect(formatMoment(0)).toBe('1970-01-01 00:00:00.000 UTC');
    expect([formatPercent(0.125), formatBps(1), formatBps(500)]).toEqual(['12.5 %', '0.01 %', '5 %']);
    expect([countOf(1, 'order'), countOf(2_000n, 'order')]).toEqual(['1 order', '2,000 orders']);
  });
});

describe('names', () => {
  it('are listed, many of them counted', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map(listNames)).toEqual([
      'nobody',
      'a',
      'a and b',
      'a, b, c and d',
    ]);
    expect(listNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 others');
  });

  it('are shortened only where that saves something', () => {
    expect(shortHex(`0x${'ab'.repeat(20)}`)).toBe('0xabab…abab');
    expect(shortHex('0x123456789')).toBe('0x123456789');
  });
});

describe('amounts of a market', () => {
  it('are in its units, and raw where nobody knows it', () => {
    const market = {
      symbol: 'ETH/USD',
      base: 'ETH',
      formatPrice: (price: bigint) => `${price / 100n}`,
      formatSize: (size: bigint) => `${size / 10n}`,
    };
    expect([sizeWords(market, -50n), priceWords(market, 1_200n)]).toEqual(['5 ETH', '12']);
    expect([sizeWords(null, -5_000n), priceWords(null, 1_200n)]).toEqual(['5,000 units', '1,200']);
  });
});
