/**
 * What a part is of a whole, 0 to 1; 0 where there is no whole.
 *
 * @param steps how fine: the share is a multiple of its inverse, rounded down
 */
export const shareOf = (part: bigint, whole: bigint, steps = 10_000n): number =>
  whole <= 0n ? 0 : Number((part * steps) / whole) / Number(steps);
