import { describe, expect, it } from '@jest/globals';
import { createMarketUnits, type Market } from '@prime/sdk';
import { digitsOf, formatAge, formatChange, formatRate, hueOf } from './format.ts';
import { priceText, sizeText } from './marketFormat.ts';
import { sparkPath } from './pictures.tsx';

describe('numbers as people read them', () => {
  it('digits of a step are those behind its point', () => {
    expect([digitsOf('0.05'), digitsOf('10')]).toEqual([2, 0]);
  });

  it('ages', () => {
    expect([-5, 999, 1_000, 59_999, 60_000, 3_600_000, 86_400_000].map(formatAge)).toEqual([
      'now',
      'now',
      '1 s ago',
      '59 s ago',
      '1 min ago',
      '1 h ago',
      '1 d ago',
    ]);
  });

  it('changes and rates', () => {
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
