import type { MarketLimits } from '@prime/codec';
import { ceilDiv, floorDiv } from '@prime/primitives';

/**
 * Limits of a market in its own units, as numbers: what is within them is within the limits. They are rounded to whole ticks and lots, which orders
 * are, so that nothing lies between. Infinity (0 for the lowest price) where there is no limit.
 */
export interface OrderBounds {
  /** Ticks times lots. */
  readonly units: number;
  readonly positionLots: number;
  readonly interestLots: number;
  /** Mark that the next two are of; null for none. */
  mark: bigint | null;
  /** Ticks of a buy at most. */
  highest: number;
  /** Ticks of a sell at least. */
  lowest: number;
}

const bpsBase = 10_000n;

/** Highest limit of a buy in a band around a mark, wei; null where there is no band. */
export const highestBuy = (mark: bigint, bps: number): bigint => floorDiv(mark * (bpsBase + BigInt(bps)), bpsBase);
/** Lowest limit of a sell in a band around a mark, wei. */
export const lowestSell = (mark: bigint, bps: number): bigint => ceilDiv(mark * (bpsBase - BigInt(bps)), bpsBase);

/** Bounds of a market without a mark. @param market tick in wei for a base unit, lot in base units */
export function createOrderBounds({
  tickSize,
  lotSize,
  limits,
}: {
  readonly tickSize: bigint;
  readonly lotSize: bigint;
  readonly limits: MarketLimits | undefined;
}): OrderBounds {
  const count = (most: bigint | undefined, unit: bigint): number =>
    most === undefined || most === 0n ? Number.POSITIVE_INFINITY : Number(most / unit);
  return {
    units: count(limits?.orderNotionalMax, tickSize * lotSize),
    positionLots: count(limits?.positionMax, lotSize),
    interestLots: count(limits?.openInterestMax, lotSize),
    mark: null,
    highest: Number.POSITIVE_INFINITY,
    lowest: 0,
  };
}

/** Moves the band of prices to a mark. @param bps 0 for no band */
export function moveBand(bounds: OrderBounds, mark: bigint | null, bps: number, tickSize: bigint): void {
  bounds.mark = mark;
  const isBanded = mark !== null && bps !== 0;
  bounds.highest = isBanded ? Number(highestBuy(mark, bps) / tickSize) : Number.POSITIVE_INFINITY;
  bounds.lowest = isBanded ? Number(ceilDiv(lowestSell(mark, bps), tickSize)) : 0;
}
