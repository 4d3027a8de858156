import type { Hex } from './brand.ts';

/** Division of integers with a stated rounding; state code divides only with these. */

/** Quotient rounded toward negative infinity. @throws RangeError when divisor is 0 */
export function floorDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n !== divisor < 0n ? quotient - 1n : quotient;
}

/** Quotient rounded toward positive infinity. @throws RangeError when divisor is 0 */
export function ceilDiv(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor !== 0n && dividend < 0n === divisor < 0n ? quotient + 1n : quotient;
}

/** The lesser one; `Math.min` takes no bigint. */
export const bigintMin = (a: bigint, b: bigint): bigint => (a < b ? a : b);
/** The greater one; `Math.max` takes no bigint. */
export const bigintMax = (a: bigint, b: bigint): bigint => (a > b ? a : b);
/** Distance from zero; `Math.abs` takes no bigint. */
export const bigintAbs = (a: bigint): bigint => (a < 0n ? -a : a);

/** Exact conversion. @throws RangeError when the value is not a safe integer */
export function bigintToNumber(value: bigint): number {
  const number = Number(value);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${value} is not a safe integer`);
  return number;
}

/** 0x and the fewest hex digits. @param value >= 0 */
export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}` as Hex;

/** {@link toQuantity} with a leading minus for negative amounts. */
export const toSignedQuantity = (value: bigint | number): string =>
  value < 0 ? `-0x${(-value).toString(16)}` : toQuantity(value);
