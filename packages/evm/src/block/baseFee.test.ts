import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nextBaseFee } from './baseFee.ts';

const gasLimit = 30_000_000n;

describe('nextBaseFee', () => {
  // The cases of go-ethereum's TestCalcBaseFee.
  it.each([
    [20_000_000n, 10_000_000n, 1_000_000_000n, 1_000_000_000n],
    [20_000_000n, 9_000_000n, 1_000_000_000n, 987_500_000n],
    [20_000_000n, 11_000_000n, 1_000_000_000n, 1_012_500_000n],
  ])('limit %d, used %d, base fee %d: %d', (limit, gasUsed, baseFee, expected) => {
    expect(nextBaseFee({ gasLimit: limit, gasUsed, baseFee })).toBe(expected);
  });

  it('a full block raises the fee by at least 1 wei, an empty one lowers it by an eighth at most', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(0n, gasLimit), (baseFee, gasUsed) => {
        const next = nextBaseFee({ gasLimit, gasUsed, baseFee });
        expect(next >= baseFee - baseFee / 8n).toBe(true);
        expect(next <= baseFee + baseFee / 8n + 1n).toBe(true);
        if (gasUsed > gasLimit / 2n) expect(next > baseFee).toBe(true);
        if (gasUsed < gasLimit / 2n) expect(next <= baseFee).toBe(true);
      }),
    );
  });
});
