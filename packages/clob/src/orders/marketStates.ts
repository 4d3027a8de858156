import { refusal } from '../rules/errors.ts';
import { isOver, type Market } from '../state/markets.ts';
import type { Refused } from '../state/takerOrder.ts';

/** What the state of a market forbids; see docs/protocol/clob.md, Life of a market. */

/** Why a market that takes no orders takes none. */
export function refusedByState({ id, status }: Market): Refused {
  if (status === 'cancel_only') return refusal.cancelOnlyMarket(id);
  if (status === 'settling') return refusal.marketSettling(id);
  return status === 'delisted' ? refusal.marketDelisted(id) : refusal.marketHalted(id);
}

/** Whether owners can take their orders out. */
export const takesCancels = (market: Market): boolean => market.status !== 'halted' && !isOver(market);
