/**
 * Arithmetic of the two kinds of numbers in which the order book counts, so that a rule is written once for both.
 *
 * Each branch is an operation of its own: what the compiler learns of one kind does not slow the other one down.
 *
 * @see docs/adr/0206-one-source-for-each-rule.md
 */

/** Ticks, lots, wei and base units: numbers where they are exact, bigints elsewhere. */
export type Quantity = number | bigint;

/** Up to here numbers, and their sums, are exact. */
export const exactMax = Number.MAX_SAFE_INTEGER;

// TypeScript has no arithmetic on "number or bigint, the same on both sides"; the casts say that all operands are of one kind.
/** Sum of two quantities of one kind; nothing checks that it is exact. */
export const plus = <N extends Quantity>(a: N, b: N): N =>
  (typeof a === 'number' ? a + (b as number) : (a as bigint) + (b as bigint)) as N;

/** Difference of two quantities of one kind. */
export const minus = <N extends Quantity>(a: N, b: N): N =>
  (typeof a === 'number' ? a - (b as number) : (a as bigint) - (b as bigint)) as N;

/** Product of two quantities of one kind. */
export const times = <N extends Quantity>(a: N, b: N): N =>
  (typeof a === 'number' ? a * (b as number) : (a as bigint) * (b as bigint)) as N;

/** A quantity with the other sign. */
export const negated = <N extends Quantity>(a: N): N => (typeof a === 'number' ? -a : -(a as bigint)) as N;

/** A quantity without its sign. */
export const magnitude = <N extends Quantity>(a: N): N => (a < 0 ? negated(a) : a);

/** Nothing, in the kind of a quantity. */
export const zeroOf = <N extends Quantity>(a: N): N => (typeof a === 'number' ? 0 : 0n) as N;

/** Whether a quantity is nothing. */
export const isZero = (a: Quantity): boolean => a === 0 || a === 0n;

/**
 * Quotient of whole numbers, rounded down; exact up to 2^53 - 1.
 *
 * Dividing would have to round up to a whole number q to be wrong: by r / divisor, where value = q * divisor - r and r >= 1. It rounds by less than
 * q * 2^-53, so r * 2^53 < q * divisor = value + r, and the value is 2^53 at least. The remainder (%) of floating numbers is exact as well, and a call into
 * the C library that takes as long as a trade.
 *
 * @param value >= 0 @param divisor above 0
 */
export const floorOf = (value: number, divisor: number): number => Math.floor(value / divisor);

/** The share of a value that belongs to a part of a whole, rounded down. @param part of which the product with the value is exact, >= 0 */
export const shareOf = <N extends Quantity>(value: N, part: N, whole: N): N =>
  (typeof value === 'number'
    ? floorOf(value * (part as number), whole as number)
    : ((value as bigint) * (part as bigint)) / (whole as bigint)) as N;

/**
 * Floor of value * rate / base, whose product need not be exact.
 *
 * @param value >= 0 @param rate 0 to base @param base whose square is exact @param more what is added to the product, below the base
 */
export function partOf<N extends Quantity>(value: N, rate: number, base: number, more = 0): N {
  if (typeof value === 'bigint') return ((value * BigInt(rate) + BigInt(more)) / BigInt(base)) as N;
  const whole = floorOf(value as number, base);
  return (whole * rate + floorOf(((value as number) - whole * base) * rate + more, base)) as N;
}

/** Ceiling of value * rate / base, see {@link partOf}. */
export const partUp = <N extends Quantity>(value: N, rate: number, base: number): N =>
  partOf(value, rate, base, base - 1);
