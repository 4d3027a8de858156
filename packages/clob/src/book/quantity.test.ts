import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { floorOf } from './quantity.ts';

describe('quotients of exact numbers', () => {
  it('are those of bigints, also just below a multiple', () => {
    const most = Number.MAX_SAFE_INTEGER;
    const any = fc.tuple(fc.maxSafeNat(), fc.integer({ min: 1, max: most }));
    const below = fc
      .tuple(fc.integer({ min: 1, max: most }), fc.maxSafeNat())
      .map(([divisor, factor]) => [(1 + (factor % Math.floor(most / divisor))) * divisor - 1, divisor] as const);
    fc.assert(
      fc.property(fc.oneof(any, below), ([value, divisor]) => {
        expect(BigInt(floorOf(value, divisor))).toBe(BigInt(value) / BigInt(divisor));
      }),
      {
        numRuns: 2000,
        examples: [[[most, 2]], [[most, most]], [[most - 1, most]], [[94_906_265 ** 2 - 1, 94_906_265]]],
      },
    );
  });
});
