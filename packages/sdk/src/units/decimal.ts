import { bigintAbs, floorDiv } from '@prime/primitives';
import { InvalidDecimalError } from '../errors/own.ts';

/** An exact decimal number: digits / 10^scale. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

/** How a value between two steps is decided. nearest takes the upper one in the middle. */
export type Rounding = 'down' | 'up' | 'nearest';

const decimalPattern = /^(-?)(\d+)(?:\.(\d+))?$/;
/** Beyond that a number is a mistake and not an amount: 2^256 has 78 digits. */
const lengthMax = 160;

/** @throws InvalidDecimalError for anything but digits with at most one point: no exponent, no thousands, no spaces */
export function parseDecimal(text: string): Decimal {
  const match = typeof text === 'string' && text.length <= lengthMax ? decimalPattern.exec(text) : null;
  if (match === null) throw new InvalidDecimalError(String(text));
  const [, sign, whole, fraction = ''] = match;
  const digits = BigInt(`${whole}${fraction}`);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

/** The number digits / 10^scale as text, without zeros at the end of the fraction. A negative scale appends zeros. */
export function formatDecimal(digits: bigint, scale: number): string {
  if (scale <= 0) return (digits * 10n ** BigInt(-scale)).toString();
  const text = bigintAbs(digits)
    .toString()
    .padStart(scale + 1, '0');
  const fraction = text.slice(-scale).replace(/0+$/, '');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Floor and remainder of a fraction with a positive denominator. */
export function floorDivide(numerator: bigint, denominator: bigint): { readonly floor: bigint; readonly rest: bigint } {
  const floor = floorDiv(numerator, denominator);
  return { floor, rest: numerator - floor * denominator };
}

/** A fraction as an integer. @param denominator above zero */
export function roundDivide(numerator: bigint, denominator: bigint, rounding: Rounding): bigint {
  const { floor, rest } = floorDivide(numerator, denominator);
  if (rest === 0n || rounding === 'down') return floor;
  return rounding === 'up' || 2n * rest >= denominator ? floor + 1n : floor;
}
