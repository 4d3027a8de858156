/** A price with the voting power of whoever tells it. */
export interface WeightedPrice {
  /** Wei for one base unit, > 0. */
  readonly price: bigint;
  /** > 0. */
  readonly power: bigint;
}

/**
 * The least price at or below which half of the power is. With less than a third of the power faulty, and more than two thirds here, it lies between
 * prices of honest validators.
 *
 * @param prices in any order, at least one
 */
export function weightedMedian(prices: readonly WeightedPrice[]): bigint {
  const ascending = [...prices].sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0));
  const total = ascending.reduce((sum, { power }) => sum + power, 0n);
  let below = 0n;
  for (const { price, power } of ascending) {
    below += power;
    if (below * 2n >= total) return price;
  }
  throw new RangeError('a median needs a price');
}
