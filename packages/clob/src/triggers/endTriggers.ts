import type { OrderEnd } from '@prime/codec';
import type { Account } from '../state/accounts.ts';
import type { Answer } from '../records/blockLog.ts';
import type { Exposure } from '../book/exposure.ts';
import { buySide, sellSide } from '../book/orderPool.ts';
import { closableBy } from '../orders/closable.ts';
import { removeTrigger, triggersOf } from './triggerChanges.ts';
import type { ClobState } from '../state/state.ts';
import { goesWithPosition, type Trigger } from './triggers.ts';

/** How triggers end that do not fire. */

/** A block ends so many whose time is over; what is left comes with the next blocks. */
const expiriesPerBlockMax = 1000;

/** Takes a trigger out and tells why. @param refusal kind of the refusal of its order, if that was it */
export function endTrigger(state: ClobState, trigger: Trigger, reason: OrderEnd, refusal: string | null = null): void {
  removeTrigger(state, trigger, reason);
  const { id, marketId, account } = trigger;
  state.emit('trigger_ended', { order_id: id, market_id: marketId, owner: account.address, reason, refusal });
}

/** Takes a trigger out for its owner. */
export function cancelTrigger(state: ClobState, trigger: Trigger): Answer {
  endTrigger(state, trigger, 'user');
  return { ok: true, value: { type: 'cancel', orderId: trigger.id, remaining: trigger.size } };
}

/** Ends the triggers whose time is over: by time, then by id. */
export function expireTriggers(state: ClobState): void {
  const { triggers } = state;
  for (let count = 0; count < expiriesPerBlockMax; count++) {
    const trigger = triggers.byId.get(triggers.expiries.last() as Trigger['id']);
    if (trigger === undefined || trigger.expiresAt >= state.timeSeconds) return;
    endTrigger(state, trigger, 'expired');
  }
}

/** Ends the triggers that go with a position which is closed, or on the other side now. */
export function endWithPosition(state: ClobState, account: Account, exposure: Exposure): void {
  if (account.triggers === null || account.triggers.ofPosition === 0) return;
  for (const trigger of triggersOf(state, account)) {
    if (!goesWithPosition(trigger) || trigger.marketId !== exposure.marketId) continue;
    const side = trigger.side === 'buy' ? buySide : sellSide;
    if (closableBy(exposure, side) <= 0n) endTrigger(state, trigger, 'position');
  }
}
