import { toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import type { ClosedOrderInfo, OpenOrder } from '../ports/ports.ts';
import { addressResult, dataResult, orNull, quantityResult } from '../schema/resultSchemas.ts';

/** Orders as answers show them, wherever they stand. */

/** What a trigger has besides; an order has none of it. */
export const triggerResultFields = {
  kind: Type.Optional(Type.String()),
  trigger_price: Type.Optional(quantityResult),
  position: Type.Optional(Type.Boolean()),
  group: Type.Optional(Type.Integer()),
  due: Type.Optional(Type.Boolean()),
  parent_order_id: Type.Optional(quantityResult),
  asleep: Type.Optional(Type.Boolean()),
};

/** What an order has while it rests and after it. */
export const orderResultFields = {
  order_id: quantityResult,
  market_id: Type.Integer(),
  owner: addressResult,
  side: Type.String(),
  price: quantityResult,
  size: quantityResult,
  tif: Type.String(),
  remaining: quantityResult,
  client_id: orNull(dataResult),
  expires_at: quantityResult,
  filled: quantityResult,
  status: Type.String(),
  created_block: quantityResult,
  reduce_only: Type.Optional(Type.Boolean()),
  ...triggerResultFields,
};

const common = (order: Omit<OpenOrder, 'createdHeight' | 'reduceOnly' | 'trigger'>): Record<string, unknown> => ({
  order_id: toQuantity(order.orderId),
  market_id: order.marketId,
  owner: order.owner,
  side: order.side,
  price: toQuantity(order.price),
  size: toQuantity(order.size),
  tif: order.tif,
  remaining: toQuantity(order.remaining),
  client_id: order.clientId,
  expires_at: toQuantity(order.expiresAt),
});

/** What an order waits for; nothing for one that does not. */
export const formatTrigger = ({ trigger }: Pick<OpenOrder, 'trigger'>): Record<string, unknown> =>
  trigger === undefined
    ? {}
    : {
        kind: trigger.kind,
        trigger_price: toQuantity(trigger.triggerPrice),
        position: trigger.position,
        group: trigger.group,
        due: trigger.isQueued,
        ...(trigger.parentOrderId === null
          ? {}
          : { parent_order_id: toQuantity(trigger.parentOrderId), asleep: trigger.isAsleep }),
      };

/** An order that rests. */
export const formatOpenOrder = (order: OpenOrder): Record<string, unknown> => {
  const filled = order.size - order.remaining;
  return {
    ...common(order),
    filled: toQuantity(filled),
    status: filled > 0n ? 'partially_filled' : 'open',
    created_block: toQuantity(order.createdHeight),
    reduce_only: order.reduceOnly,
    ...formatTrigger(order),
  };
};

/** An order that is gone; `reason` says why it left before it was filled. */
export const formatClosedOrder = (order: ClosedOrderInfo): Record<string, unknown> => ({
  ...common(order),
  filled: toQuantity(order.filled),
  decremented: toQuantity(order.size - order.filled - order.remaining),
  status: order.end === 'filled' ? 'filled' : order.end === 'fok' ? 'killed' : 'cancelled',
  reason: order.end === 'filled' ? null : order.end,
  created_block: toQuantity(order.createdBlock),
  closed_block: toQuantity(order.closedHeight),
  ...(order.trigger === undefined
    ? {}
    : { kind: order.trigger.kind, trigger_price: toQuantity(order.trigger.triggerPrice) }),
});
