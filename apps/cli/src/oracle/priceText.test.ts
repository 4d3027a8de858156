import { describe, expect, it } from '@jest/globals';
import { weiPerBaseUnit } from './priceText.ts';

describe('weiPerBaseUnit', () => {
  it.each<[string, number, bigint | null]>([
    ['3012.55', 2, 301_255n],
    ['3012.559', 2, 301_255n],
    ['3012', 0, 3012n],
    [' 7 ', 0, 7n],
    ['1e-7', 18, 10n ** 11n],
    ['2.5E+3', 0, 2500n],
    ['0.009', 2, null],
    ['0', 18, null],
    ['-1', 18, null],
    ['1,000', 0, null],
    ['NaN', 0, null],
    ['', 0, null],
    ['1e999', 0, null],
    ['1', -36, null],
  ])('of %j with %d decimals', (text, decimals, price) => {
    expect(weiPerBaseUnit(text, decimals)).toBe(price);
  });
});
