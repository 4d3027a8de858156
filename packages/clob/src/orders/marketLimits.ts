import type { MarketLimits, OrderFields } from '@prime/codec';
import { bigintMax } from '@prime/primitives';
import type { Exposure } from '../book/exposure.ts';
import { openingOf } from './reduceOnly.ts';
import { refusal } from '../rules/errors.ts';
import { buySide, type SideIndex } from '../book/orderPool.ts';
import type { Market } from '../state/markets.ts';
import { highestBuy, lowestSell, moveBand } from '../state/orderBounds.ts';
import type { Refused } from '../state/takerOrder.ts';

/**
 * Limits of a market, asked of an order when it comes in, and of nothing else. That is enough:
 *  - a trade opens no more interest than its taker opens, and the taker was just asked for all that it could open;
 *  - what an account holds on a side and its open orders of that side grow together by its own new orders alone. A fill moves from the one to the other,
 *    and whatever makes a position smaller leaves both sides as they were.
 * So open interest stays within its limit, and every position within its own, whoever trades, is liquidated or deleveraged.
 *
 * @see docs/adr/0209-limits-of-a-market.md
 */

/** An order that may come in otherwise. */
interface Candidate {
  readonly side: SideIndex;
  /** Base units that may be matched. */
  readonly size: bigint;
  /** Its limit, wei. */
  readonly price: bigint;
}

/** Whether an order can do nothing but make its owner's position smaller, whatever else of the owner is open. */
function onlyReduces(exposure: Exposure, { side, size }: Pick<Candidate, 'side' | 'size'>): boolean {
  const held = side === buySide ? -exposure.size : exposure.size;
  return held >= openOf(exposure, side) + size;
}

const openOf = (exposure: Exposure, side: SideIndex): bigint =>
  side === buySide ? exposure.buySize : exposure.sellSize;

/** Why an order is beyond a limit of its market; null when it is not. Never for one that only reduces. */
export function checkLimits(
  market: Market,
  exposure: Exposure,
  order: Candidate,
  { reduceOnly }: Pick<OrderFields, 'reduceOnly'>,
): Refused | null {
  const { limits } = market;
  if (limits === undefined || reduceOnly || onlyReduces(exposure, order)) return null;
  return (
    checkNotional(limits, order) ??
    checkBand(limits, order, market.markPrice) ??
    checkPosition(limits, exposure, order) ??
    checkInterest(market, limits, exposure, order)
  );
}

function checkNotional({ orderNotionalMax: most }: MarketLimits, { price, size }: Candidate): Refused | null {
  return most === 0n || price * size <= most ? null : refusal.orderNotional(price * size, most);
}

function checkBand(
  { priceBandBps: bps }: MarketLimits,
  { side, price }: Candidate,
  mark: bigint | null,
): Refused | null {
  if (bps === 0 || mark === null) return null;
  if (side === buySide) {
    const highest = highestBuy(mark, bps);
    return price <= highest ? null : refusal.priceAboveBand(price, mark, highest);
  }
  const lowest = lowestSell(mark, bps);
  return price >= lowest ? null : refusal.priceBelowBand(price, mark, lowest);
}

/** What the account holds on the side of the order, and all its open orders of that side that are not reduce-only. */
function checkPosition(
  { positionMax: most }: MarketLimits,
  exposure: Exposure,
  { side, size }: Candidate,
): Refused | null {
  if (most === 0n) return null;
  const held = bigintMax(0n, side === buySide ? exposure.size : -exposure.size);
  const possible = held + openingOf(exposure, side) + size;
  return possible <= most ? null : refusal.positionLimit(possible, most);
}

/** What the order itself could add to the open interest: the part that does not close a position. */
function checkInterest(
  { openInterest }: Market,
  { openInterestMax: most }: MarketLimits,
  exposure: Exposure,
  { side, size }: Candidate,
): Refused | null {
  if (most === 0n) return null;
  const opened = bigintMax(0n, size - bigintMax(0n, side === buySide ? -exposure.size : exposure.size));
  return opened === 0n || openInterest.size + opened <= most
    ? null
    : refusal.openInterest(openInterest.size, opened, most);
}

/** The same in numbers, asked of orders that surely may come in: whether no limit is in question. */
export function isWithinBounds(
  market: Market,
  exposure: Exposure,
  side: SideIndex,
  ticks: number,
  lots: number,
): boolean {
  const { limits, bounds, markPrice, openInterest } = market;
  if (limits === undefined) return true;
  if (bounds.mark !== markPrice) moveBand(bounds, markPrice, limits.priceBandBps, market.tickSize);
  if (ticks * lots > bounds.units) return false;
  if (side === buySide ? ticks > bounds.highest : ticks < bounds.lowest) return false;
  const held = side === buySide ? exposure.lots : -exposure.lots;
  const open = side === buySide ? exposure.buyLots : exposure.sellLots;
  if (Math.max(0, held) + open + lots > bounds.positionLots) return false;
  const interest = openInterest.lots;
  // A position against the order is left out of account: what is in question is asked exactly.
  return (
    bounds.interestLots === Number.POSITIVE_INFINITY ||
    (interest !== undefined && interest + lots <= bounds.interestLots)
  );
}
