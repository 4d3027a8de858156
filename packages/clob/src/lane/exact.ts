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
