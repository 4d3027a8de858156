import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { bigintAbs, bigintMax, bigintMin, bigintToNumber, ceilDiv, floorDiv } from './integer.ts';

const integer = fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n });
const divisor = integer.filter((value) => value !== 0n);

describe('division', () => {
  it('floorDiv: the largest quotient that is not above the exact one', () => {
    fc.assert(
      fc.property(integer, divisor, (a, b) => {
        const rest = a - floorDiv(a, b) * b;
        // The rest has the sign of the divisor and is smaller.
        expect(rest === 0n || rest < 0n === b < 0n).toBe(true);
        expect(bigintAbs(rest) < bigintAbs(b)).toBe(true);
      }),
    );
  });

  it('ceilDiv mirrors floorDiv', () => {
    fc.assert(fc.property(integer, divisor, (a, b) => expect(ceilDiv(a, b)).toBe(-floorDiv(-a, b))));
  });

  it('the four signs', () => {
    expect([floorDiv(7n, 2n), floorDiv(-7n, 2n), floorDiv(7n, -2n), floorDiv(-7n, -2n)]).toEqual([3n, -4n, -4n, 3n]);
    expect([ceilDiv(7n, 2n), ceilDiv(-7n, 2n), ceilDiv(7n, -2n), ceilDiv(-7n, -2n)]).toEqual([4n, -3n, -3n, 4n]);
    expect([floorDiv(-8n, 2n), ceilDiv(-8n, 2n)]).toEqual([-4n, -4n]);
  });

  it('by zero is refused', () => {
    expect(() => floorDiv(1n, 0n)).toThrow(RangeError);
    expect(() => ceilDiv(1n, 0n)).toThrow(RangeError);
  });
});

it('smaller, larger, absolute', () => {
  expect([bigintMin(-1n, 2n), bigintMax(-1n, 2n), bigintAbs(-3n), bigintAbs(3n)]).toEqual([-1n, 2n, 3n, 3n]);
});

it('to a number only when that is exact', () => {
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  expect(bigintToNumber(-largest)).toBe(-Number.MAX_SAFE_INTEGER);
  for (const value of [largest + 1n, -largest - 1n, 2n ** 64n]) expect(() => bigintToNumber(value)).toThrow(RangeError);
});
