import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sortAscending } from './ascending.ts';

describe('sorting of ids', () => {
  it('is that of comparing, close together or far apart', () => {
    const near = fc.tuple(fc.maxSafeNat(), fc.uniqueArray(fc.nat(300))).map(([from, steps]) => {
      const first = Math.min(from, Number.MAX_SAFE_INTEGER - 300);
      return steps.map((step) => first + step);
    });
    const far = fc.uniqueArray(fc.maxSafeNat());
    fc.assert(
      fc.property(fc.oneof(near, far), (numbers) => {
        const sorted = Float64Array.from(numbers);
        sortAscending(sorted);
        expect([...sorted]).toEqual([...numbers].sort((a, b) => a - b));
      }),
    );
  });
});
