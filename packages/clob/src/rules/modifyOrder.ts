import { type OrderFields, sides } from '@prime/codec';
import type { Address, MarketId, OrderId } from '@prime/primitives';
import type { Answer } from '../records/blockLog.ts';
import { cancelOrder, ownOrder, ownTrigger } from '../orders/cancelOrder.ts';
import { placeOrder } from '../orders/placeOrder.ts';
import { shrinkOrder } from '../orders/shrinkOrder.ts';
import { moveAttached } from '../triggers/attached.ts';
import { followReplacement } from '../triggers/brackets.ts';
import { modifyTrigger } from '../triggers/placeTrigger.ts';
import type { ClobState } from '../state/state.ts';

/** Another price and another open size of an order. */
export interface Change {
  readonly orderId: OrderId;
  readonly price: bigint;
  readonly size: bigint;
}

/**
 * Gives an order another price and another open size; of a trigger, the price that it waits for.
 *
 * Less of it at the same price keeps its id and its place; anything else is a new order with a new id, behind the others of its
 * price, in one step: when the new one is refused the old one stays.
 */
export function modify(state: ClobState, address: Address, change: Change): Answer {
  const trigger = ownTrigger(state, state.accountOf.get(address), change.orderId);
  if (trigger !== null) return 'ok' in trigger ? trigger : modifyTrigger(state, trigger, change);
  const handle = ownOrder(state, state.accountOf.get(address), change.orderId);
  if (typeof handle !== 'number') return handle;
  if (keepsPlace(state, handle, change)) return shrink(state, handle, change);
  const fields = replacement(state, handle, change);
  const newId = state.globals.nextOrderId;
  moveAttached(state, change.orderId, newId);
  cancelOrder(state, handle, 'user');
  const placed = placeOrder(state, address, fields);
  followReplacement(state, newId, placed);
  return placed;
}

/** Whether a change leaves the order where it is. */
function keepsPlace(state: ClobState, handle: number, { price, size }: Change): boolean {
  const { book, lotSize, tickSize } = state.marketOf(handle);
  const { ticks, remaining } = book.columns;
  if (size <= 0n || size > BigInt(remaining[handle]!) * lotSize || size % lotSize !== 0n) return false;
  return price === BigInt(ticks[handle]!) * tickSize;
}

/** The order that comes in the place of one that is changed. */
export function replacement({ orders }: ClobState, handle: number, { price, size }: Change): OrderFields {
  return {
    marketId: orders.market[handle]! as MarketId,
    side: sides[orders.side[handle]!]!,
    price,
    size,
    tif: 'gtc',
    postOnly: orders.isPostOnly(handle),
    reduceOnly: orders.isReduceOnly(handle),
    selfTrade: orders.selfTrade(handle),
    clientId: orders.clientId(handle),
    expiresAt: orders.expiresAt[handle]!,
  };
}

function shrink(state: ClobState, handle: number, { orderId, size }: Change): Answer {
  const { id: marketId, book, lotSize } = state.marketOf(handle);
  const open = state.remainingOf(handle);
  if (size < open) shrinkOrder(state, handle, book.of((open - size) / lotSize), 'modify');
  const { columns } = book;
  const filled = (BigInt(columns.size[handle]!) - BigInt(columns.remaining[handle]!)) * lotSize;
  const status = filled > 0n ? 'partially_filled' : 'open';
  return {
    ok: true,
    value: {
      type: 'order',
      orderId,
      marketId,
      filled,
      remaining: size,
      trades: [],
      status,
      decremented: 0n,
      reason: null,
    },
  };
}
