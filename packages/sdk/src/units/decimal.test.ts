import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { InvalidDecimalError } from '../errors/own.ts';
import { formatDecimal, parseDecimal, roundDivide } from './decimal.ts';

describe('decimals', () => {
  it.each(['', '.', '1.', '.5', '1e3', '1_000', '1,5', ' 1', '0x10', '+1', '--1', 'NaN', 'Infinity', '9'.repeat(161)])(
    'refuses %j',
    (text) => {
      expect(() => parseDecimal(text)).toThrow(InvalidDecimalError);
    },
  );

  it('refuses a number: it may have lost digits before it came here', () => {
    expect(() => parseDecimal(0.1 as unknown as string)).toThrow(InvalidDecimalError);
  });

  it('what is formatted is parsed to the same number, at every scale', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(1n << 256n), max: 1n << 256n }),
        fc.integer({ min: -36, max: 60 }),
        (digits, scale) => {
          const parsed = parseDecimal(formatDecimal(digits, scale));
          // digits / 10^scale = parsed.digits / 10^parsed.scale
          const [ours, theirs] = [BigInt(Math.max(0, scale)), BigInt(Math.max(0, -scale))];
          expect(parsed.digits * 10n ** ours).toBe(digits * 10n ** theirs * 10n ** BigInt(parsed.scale));
        },
      ),
    );
  });

  it.each([
    [0n, 18, '0'],
    [1n, 18, '0.000000000000000001'],
    [-1n, 2, '-0.01'],
    [1500n, 3, '1.5'],
    [5n, -3, '5000'],
    [10n ** 60n + 1n, 40, `1${'0'.repeat(20)}.${'0'.repeat(39)}1`],
  ])('%d at scale %d is %s', (digits, scale, text) => {
    expect(formatDecimal(digits, scale)).toBe(text);
  });

  it('rounds down, up and to the nearest, negative ones too', () => {
    const of = (numerator: bigint) =>
      (['down', 'nearest', 'up'] as const).map((mode) => roundDivide(numerator, 10n, mode));
    expect(of(14n)).toEqual([1n, 1n, 2n]);
    expect(of(15n)).toEqual([1n, 2n, 2n]);
    expect(of(16n)).toEqual([1n, 2n, 2n]);
    expect(of(20n)).toEqual([2n, 2n, 2n]);
    expect(of(-14n)).toEqual([-2n, -1n, -1n]);
    expect(of(-15n)).toEqual([-2n, -1n, -1n]);
    expect(of(-16n)).toEqual([-2n, -2n, -1n]);
  });
});
