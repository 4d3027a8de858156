import { bigintMax, bigintMin } from '@prime/primitives';
import type { Exposure } from '../book/exposure.ts';
import { buySide, type SideIndex } from '../book/orderPool.ts';
import { cancelOrder } from './cancelOrder.ts';
import { closableBy } from './closable.ts';
import { shrinkOrder } from './shrinkOrder.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Reduce-only orders that rest. Those of an account and market are never for more together than its position, and on the side that closes it: whatever
 * makes the position smaller cuts them to it, and what comes to rest is cut to what the others leave. So none of them ever opens anything.
 *
 * @see docs/adr/0215-resting-reduce-only.md
 */

/** Base units for which a reduce-only order of a side may come to rest beside those that do. */
export const reducibleBy = (exposure: Exposure, side: SideIndex): bigint =>
  bigintMax(0n, closableBy(exposure, side) - (exposure.reducing?.size ?? 0n));

/** Base units of open orders of a side that may open a position: all but the reduce-only ones. */
export function openingOf(exposure: Exposure, side: SideIndex): bigint {
  const open = side === buySide ? exposure.buySize : exposure.sellSize;
  return closableBy(exposure, side) > 0n ? open - (exposure.reducing?.size ?? 0n) : open;
}

/** Takes off the youngest reduce-only orders what a position, which changed, has no need of. */
export function cutToPosition(state: ClobState, exposure: Exposure): void {
  const { reducing } = exposure;
  if (reducing === null || reducing.size === 0n) return;
  const side = state.orders.side[reducing.youngest!] as SideIndex;
  let excess = reducing.size - bigintMax(0n, closableBy(exposure, side));
  while (excess > 0n) {
    const handle = reducing.youngest!;
    const { book, lotSize } = state.marketOf(handle);
    const amount = bigintMin(excess, state.remainingOf(handle));
    if (amount === state.remainingOf(handle)) cancelOrder(state, handle, 'reduce_only');
    else shrinkOrder(state, handle, book.of(amount / lotSize), 'position');
    excess -= amount;
  }
}
