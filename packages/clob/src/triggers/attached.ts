import { bigintMin, type OrderId } from '@prime/primitives';
import { positionMax } from '../state/positionMax.ts';
import { endTrigger } from './endTriggers.ts';
import { changeTrigger } from './changeTrigger.ts';
import { heldAgainst } from './heldAgainst.ts';
import { replaceTrigger } from './triggerChanges.ts';
import type { ClobState } from '../state/state.ts';
import type { Trigger } from './triggers.ts';

/** What the triggers of a bracket do when their order fills, ends, or comes back with another id. */

/** Asked at each cancel. */
const none: readonly Trigger[] = [];

/** By id; none where nothing is attached to an open order with that id. */
function attachedTo({ triggers: { ofOrder, byId } }: ClobState, orderId: number): readonly Trigger[] {
  const ids = ofOrder.size === 0 ? undefined : ofOrder.get(orderId as OrderId);
  if (ids === undefined) return none;
  return [...ids].sort((a, b) => a - b).map((id) => byId.get(id)!);
}

/** Makes the triggers of an order larger by what it filled. The first fill wakes them. */
export function growAttached(state: ClobState, orderId: number, filled: bigint): void {
  for (const trigger of attachedTo(state, orderId))
    changeTrigger(state, trigger, { ...trigger, size: grownBy(state, trigger, filled) });
}

/** No more than any position may have: an order that is changed again and again may fill more than that. */
function grownBy(state: ClobState, { marketId, size }: Trigger, filled: bigint): bigint {
  const { lotSize } = state.market(marketId)!;
  return bigintMin(size + filled, positionMax - (positionMax % lotSize));
}

/** Attaches the triggers of an order to the one that is to come in its place. */
export function moveAttached(state: ClobState, from: number, to: OrderId): void {
  for (const trigger of attachedTo(state, from))
    changeTrigger(state, trigger, { ...trigger, attached: { orderId: to, isOpen: true } });
}

/** Lets go of the triggers of an order that has ended. Those that it filled nothing for end with it, and so do those that have no position to close. */
export function closeAttached(state: ClobState, orderId: number): void {
  for (const trigger of attachedTo(state, orderId)) {
    if (trigger.size === 0n) {
      endTrigger(state, trigger, 'parent');
      continue;
    }
    const after = { ...trigger, attached: { orderId: orderId as OrderId, isOpen: false } };
    replaceTrigger(state, trigger, after);
    if (heldAgainst(trigger.account, trigger) <= 0n) endTrigger(state, after, 'position');
  }
}
