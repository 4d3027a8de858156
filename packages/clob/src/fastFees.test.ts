import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partOf } from './fees.ts';

describe('parts of exact numbers', () => {
  it('are those of bigints, however large the product', () => {
    const value = fc.oneof(fc.maxSafeNat(), fc.nat(3_000_000));
    for (const base of [10_000, 1_000_000])
      fc.assert(
        fc.property(value, fc.integer({ min: 0, max: base }), (number, rate) => {
          expect(BigInt(partOf(number, rate, base))).toBe((BigInt(number) * BigInt(rate)) / BigInt(base));
        }),
        {
          examples: [
            [Number.MAX_SAFE_INTEGER, base],
            [Number.MAX_SAFE_INTEGER, base - 1],
            [0, base],
            [base - 1, base - 1],
          ],
        },
      );
  });
});
