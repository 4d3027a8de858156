import { type Address, type OrderId, parseAddress } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, required, type ValueType } from '../../define.ts';
import { toQuantity } from '../../format/quantity.ts';
import { clientIdSchema, orderId } from '../../orderActions.ts';
import type { ClosedOrderInfo, OpenOrder, OrderKey } from '../../ports.ts';
import { addressResult, dataResult, orNull, quantityResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { addressSchema, hintKey, valueType } from '../../valueTypes.ts';

type WireKey = string | { readonly owner: string; readonly client_id: string };

const orderKey: ValueType<OrderKey> = valueType(
  Type.Union(
    [orderId.schema, Type.Object({ owner: addressSchema, client_id: clientIdSchema }, { additionalProperties: false })],
    { [hintKey]: 'must be a hex order id, or an object {owner, client_id}' },
  ),
  (wire: WireKey): OrderKey =>
    typeof wire === 'string'
      ? { orderId: (orderId.parse as (value: string) => OrderId)(wire) }
      : { owner: parseAddress(wire.owner), clientId: wire.client_id.toLowerCase() },
);

const common = (order: {
  readonly orderId: OrderId;
  readonly marketId: number;
  readonly owner: Address;
  readonly remaining: bigint;
  readonly clientId: string | null;
}): Record<string, unknown> => ({
  order_id: toQuantity(order.orderId),
  market_id: order.marketId,
  owner: order.owner,
  remaining: toQuantity(order.remaining),
  client_id: order.clientId,
});

const formatOpen = (order: OpenOrder): Record<string, unknown> => {
  const filled = order.size - order.remaining;
  return {
    ...common(order),
    filled: toQuantity(filled),
    status: filled > 0n ? 'partially_filled' : 'open',
    side: order.side,
    price: toQuantity(order.price),
    size: toQuantity(order.size),
    tif: order.tif,
    created_block: toQuantity(order.createdHeight),
    expires_at: toQuantity(order.expiresAt),
  };
};

/** `reason` says why an order left before it was filled. */
const formatClosed = (order: ClosedOrderInfo): Record<string, unknown> => ({
  ...common(order),
  filled: toQuantity(order.filled),
  status: order.end === 'filled' ? 'filled' : order.end === 'fok' ? 'killed' : 'cancelled',
  reason: order.end === 'filled' ? null : order.end,
  closed_block: toQuantity(order.closedHeight),
});

export const getOrder = defineMethod({
  name: 'primeorders_getOrder',
  summary:
    'An order by its id, or by its owner and client id: where it stands, or how it ended while that is remembered; null when nothing is known of it.',
  params: [required('order', orderKey)],
  result: orNull(
    Type.Object({
      order_id: quantityResult,
      market_id: Type.Integer(),
      owner: addressResult,
      filled: quantityResult,
      remaining: quantityResult,
      client_id: orNull(dataResult),
      status: Type.String(),
      side: Type.Optional(Type.String()),
      price: Type.Optional(quantityResult),
      size: Type.Optional(quantityResult),
      tif: Type.Optional(Type.String()),
      created_block: Type.Optional(quantityResult),
      expires_at: Type.Optional(quantityResult),
      reason: Type.Optional(orNull(Type.String())),
      closed_block: Type.Optional(quantityResult),
    }),
  ),
  errors: [],
  privacy: 'operatorAfterFork',
  examples: [
    {
      situation: 'for an order that was cancelled a moment ago',
      params: ['0x1'],
      result: {
        order_id: '0x1',
        market_id: 1,
        owner: sample.address,
        filled: '0x0',
        remaining: '0xa',
        client_id: null,
        status: 'cancelled',
        reason: 'user',
        closed_block: sample.height,
      },
    },
  ],
  handler: async ({ ports }, key) => {
    const found = await ports.books.order(key);
    if (found === null) return null;
    return found.isOpen ? formatOpen(found.order) : formatClosed(found.order);
  },
});
