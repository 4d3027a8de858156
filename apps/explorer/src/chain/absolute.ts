/** Absolute value; `Math.abs` takes no bigints. */
export const absolute = (value: bigint): bigint => (value < 0n ? -value : value);
