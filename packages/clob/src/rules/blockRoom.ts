import type { ActionPayload, ActionResult } from '@prime/codec';
import { refusal } from './errors.ts';
import type { ClobState } from '../state/state.ts';

/**
 * Work that one block does, counted in changes of orders: each time that one comes to rest, fills, shrinks or leaves, also if that is
 * undone. Everything else that a block costs is bounded by its bytes; but one order may meet a million others, and one cancelAll takes out
 * ten thousand. A block that no node can tell the next thread of would stop all of them, and again whenever they begin anew (ADR 0129).
 */

/** Why an action has to wait for another block; null when it has not. What takes out a single order never has to. */
export function refusedForRoom({ orders, params }: ClobState, type: ActionPayload['type']): ActionResult | null {
  const { orderChangesPerBlock: limit } = params;
  if (limit === undefined || orders.changes < limit) return null;
  return type === 'order' || type === 'bracket' || type === 'modify' || type === 'cancelAll' || type === 'liquidate'
    ? refusal.blockFull(limit)
    : null;
}

/** Whether the block takes no more than single cancels. */
export const isBlockFull = ({ orders, params: { orderChangesPerBlock: limit } }: ClobState): boolean =>
  limit !== undefined && orders.changes >= limit;

/** Number of changes at which what begins now has to stop. */
export const stopAt = ({ orders, params: { orderChangesPerBlock: limit } }: ClobState): number =>
  limit === undefined ? Number.POSITIVE_INFINITY : orders.changes + limit;
