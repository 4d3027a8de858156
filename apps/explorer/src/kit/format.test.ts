import { describe, expect, it } from '@jest/globals';
import { createMarketUnits, type Market } from '@prime/sdk';
import {
  digitsOf,
  formatAge,
  formatChange,
  formatDecimal,
  formatDuration,
  formatInteger,
  formatMoment,
  formatPercent,
  formatRate,
  formatWei,
  hueOf,
  shortHex,
} from './format.ts';
import { priceText, sizeText } from './marketFormat.ts';
import { sparkPath } from './pictures.tsx';

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
    expect([digitsOf('0.05'), digitsOf('10')]).toEqual([2, 0]);
  });

  it('wei are exact', () => {
    expect(formatWei(1n)).toBe('0.000000000000000001');
    expect(formatWei(-1_500_000_000_000_000_000n)).toBe('-1.5');
    expect(formatWei(7n, 0)).toBe('7');
    expect(formatWei(0n)).toBe('0');
  });

  it('ages and durations', () => {
    expect([-5, 999, 1_000, 59_999, 60_000, 3_600_000, 86_400_000].map(formatAge)).toEqual([
      'now',
      'now',
      '1 s ago',
      '59 s ago',
      '1 min ago',
      '1 h ago',
      '1 d ago',
    ]);
    expect([0, 999, 1_000, 12_345, 90_000, 7_200_000].map(formatDuration)).toEqual([
      '0 ms',
      '999 ms',
      '1.00 s',
      '12.3 s',
      '1.5 min',
      '2.0 h',
    ]);
    expect(formatMoment(0)).toBe('1970-01-01 00:00:00.000 UTC');
  });

  it('shares, changes and rates', () => {
    expect(formatPercent(0.125)).toBe('12.5 %');
    expect([0.0125, -0.004, 0, -0.00001].map((share) => formatChange(share))).toEqual([
      '+1.25 %',
      '−0.40 %',
      '0.00 %',
      '0.00 %',
    ]);
    expect([0, 0.001, 0.42, 18.34, 1_240.4].map(formatRate)).toEqual(['0', '<0.01', '0.42', '18.3', '1,240']);
  });
});

describe('hashes', () => {
  it('are shortened only where that saves something', () => {
    expect(shortHex(`0x${'ab'.repeat(20)}`)).toBe('0xabab…abab');
    expect(shortHex('0x123456789')).toBe('0x123456789');
  });

  it('have a hue of the wheel that is always the same', () => {
    const hues = Array.from({ length: 200 }, (_, index) => hueOf(`0x${index.toString(16).padStart(40, '0')}`));
    expect(hues.every((hue) => Number.isInteger(hue) && hue >= 0 && hue < 360)).toBe(true);
    expect(new Set(hues).size).toBeGreaterThan(100);
    expect(hueOf('0xab')).toBe(hueOf('0xab'));
  });
});

describe('prices and sizes of a market', () => {
  const grid = { symbol: 'ETH/USD', tickSize: 5n * 10n ** 13n, lotSize: 1n, baseDecimals: 3, quoteDecimals: 18 };
  const units = { ...grid, ...createMarketUnits(grid) } as Market;
  const fine = { ...grid, lotSize: 1n, baseDecimals: 8 };
  const fineUnits = { ...fine, ...createMarketUnits(fine) } as Market;

  it('have the digits of tick and lot', () => {
    expect(priceText(units, units.price('3012.5'))).toBe('3,012.50');
    expect(sizeText(units, units.size('1.5'))).toBe('1.500');
  });

  it('a size that is too small for its digits is not shown as nothing', () => {
    expect(sizeText(fineUnits, fineUnits.size('0.0001'))).toBe('0.0001');
    expect(sizeText(fineUnits, fineUnits.size('0.00009999'))).toBe('<0.0001');
    expect(sizeText(fineUnits, 0n)).toBe('0.0000');
  });
});

describe('a line of values', () => {
  it('goes from left to right with the largest on top', () => {
    expect(sparkPath([1, 3, 2])).toBe('M0.0 22.0L48.0 2.0L96.0 12.0');
    expect(sparkPath([5, 5])).toBe('M0.0 12.0L96.0 12.0');
  });

  it('of fewer than two values is none', () => {
    expect([sparkPath([]), sparkPath([1])]).toEqual([null, null]);
  });
});
