import { replaceTrigger } from './triggerChanges.ts';
import type { ClobState } from '../state/state.ts';
import type { Trigger } from './triggers.ts';

/** Puts a trigger in the place of one with the same id, and tells of it. */
export function changeTrigger(state: ClobState, before: Trigger, after: Trigger): void {
  const { id, marketId, account, triggerPrice, size, attached } = after;
  replaceTrigger(state, before, after);
  state.emit('trigger_changed', {
    order_id: id,
    market_id: marketId,
    owner: account.address,
    trigger_price: triggerPrice,
    size,
    parent_order_id: attached?.orderId ?? null,
  });
}
