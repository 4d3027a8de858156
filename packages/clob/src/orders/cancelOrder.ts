import type { CancelReason } from '@prime/codec';
import type { OrderId } from '@prime/primitives';
import type { Account } from '../state/accounts.ts';
import type { Answer } from '../records/blockLog.ts';
import { refusal } from '../rules/errors.ts';
import { closeAttached } from '../triggers/attached.ts';
import { cancelTrigger } from '../triggers/endTriggers.ts';
import { removeOrder } from '../state/openOrders.ts';
import { refusedByState, takesCancels } from './marketStates.ts';
import { noteGone } from '../margin/room.ts';
import type { ClobState } from '../state/state.ts';
import type { Refused } from '../state/takerOrder.ts';
import type { Trigger } from '../triggers/triggers.ts';
import { tellCancelled } from './tellOrders.ts';

/** Takes an order out of the book and says why; what is attached to it follows. */
export function cancelOrder(state: ClobState, handle: number, reason: CancelReason): void {
  const { orders } = state;
  const market = state.marketOf(handle);
  const id = orders.id[handle]!;
  const left = market.book.columns.remaining[handle]!;
  const account = state.accounts[orders.owner[handle]!]!;
  noteGone(state, handle, left);
  removeOrder(state, handle, market, account, left, reason);
  tellCancelled(state, id, market, account, left, reason);
  closeAttached(state, id);
}

/** Takes an order out for its owner. */
export function cancelHandle(state: ClobState, handle: number): Answer {
  const market = state.marketOf(handle);
  const orderId = state.orders.id[handle]! as OrderId;
  const left = market.book.columns.remaining[handle]!;
  cancelOrder(state, handle, 'user');
  if (typeof left === 'number') return state.log.dropped(market, orderId, left);
  return { ok: true, value: { type: 'cancel', orderId, remaining: left * market.lotSize } };
}

/** Takes an account's order or trigger out. A refusal changed nothing. */
export function cancelById(state: ClobState, account: Account | undefined, orderId: OrderId): Answer {
  const trigger = ownTrigger(state, account, orderId);
  if (trigger !== null) return 'ok' in trigger ? trigger : cancelTrigger(state, trigger);
  const handle = ownOrder(state, account, orderId);
  return typeof handle === 'number' ? cancelHandle(state, handle) : handle;
}

/** An account's trigger, or why it is not to be had; null where no trigger has that id. */
export function ownTrigger(
  { triggers, markets }: ClobState,
  account: Account | undefined,
  orderId: OrderId,
): Trigger | Refused | null {
  const trigger = triggers.byId.get(orderId);
  if (trigger === undefined) return null;
  if (trigger.account !== account) return refusal.notOwner(orderId);
  const market = markets[trigger.marketId - 1]!;
  return takesCancels(market) ? trigger : refusedByState(market);
}

/** The handle of an account's open order, or why it is not to be had. */
export function ownOrder(state: ClobState, account: Account | undefined, orderId: OrderId): number | Refused {
  const { orders, memory } = state;
  const handle = orders.byId.get(orderId);
  if (handle !== undefined) {
    if (orders.owner[handle] !== account?.index) return refusal.notOwner(orderId);
    const market = state.marketOf(handle);
    return takesCancels(market) ? handle : refusedByState(market);
  }
  // What became of it, as far as that is remembered.
  const end = memory.endOf(orderId);
  if (end === undefined) return refusal.unknownOrder(orderId);
  return end === 'filled' ? refusal.orderFilled(orderId) : refusal.orderCancelled(orderId);
}
