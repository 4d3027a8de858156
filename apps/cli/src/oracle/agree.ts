/** What one source says of a price. */
export interface Quote {
  /** Wei for one base unit, > 0. */
  readonly price: bigint;
  /** When it was true, ms. */
  readonly observedAtMs: number;
}

/** When sources agree. */
export interface Agreement {
  /** So many sources have to agree. */
  readonly quorum: number;
  /** Quotes that are older are no quotes, ms. */
  readonly maxAgeMs: number;
  /** Quotes further from the median of all are left out, basis points. */
  readonly outlierBps: number;
}

const medianOf = (ascending: readonly bigint[]): bigint => ascending[(ascending.length - 1) >> 1]!;
const distance = (a: bigint, b: bigint): bigint => (a > b ? a - b : b - a);

/**
 * The price that enough sources agree on: the median of those that are near the median of all.
 *
 * @returns null when too few do: a feeder never reports what it does not have
 */
export function agreedPrice(
  quotes: readonly (Quote | null)[],
  { quorum, maxAgeMs, outlierBps }: Agreement,
  nowMs: number,
): bigint | null {
  const fresh = quotes
    .flatMap((quote) => (quote !== null && nowMs - quote.observedAtMs <= maxAgeMs ? [quote.price] : []))
    .sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (fresh.length < quorum) return null;
  const middle = medianOf(fresh);
  const near = fresh.filter((price) => distance(price, middle) * 10_000n <= middle * BigInt(outlierBps));
  return near.length < quorum ? null : medianOf(near);
}
