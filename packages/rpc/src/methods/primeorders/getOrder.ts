import type { OrderKey } from '@prime/codec';
import { type OrderId, parseAddress } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../define.ts';
import { clientIdSchema, orderId } from '../../orders/orderActions.ts';
import { formatClosedOrder, formatOpenOrder, orderResultFields } from '../../orders/orderResult.ts';
import { orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { addressSchema, hintKey, type ValueType, valueType } from '../../schema/valueTypes.ts';

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

/** Answers also after an order ended, as long as the node keeps that. */
export const getOrder = defineMethod({
  name: 'primeorders_getOrder',
  summary:
    'An order by its id, or by its owner and client id (of several the live one, else the latest): where it stands, or how it ended. null for one that never was. A node that deletes old blocks, or began with a snapshot, refuses an order that it does not know with 4444, and says in `oldest` since which block it has the ends of orders.',
  params: [required('order', orderKey)],
  result: orNull(
    Type.Object({
      ...orderResultFields,
      decremented: Type.Optional(quantityResult),
      reason: Type.Optional(orNull(Type.String())),
      closed_block: Type.Optional(quantityResult),
    }),
  ),
  errors: ['RPC_ORDER_NOT_KEPT'],
  privacy: 'operatorAfterFork',
  examples: [
    {
      situation: 'for an order that was cancelled a moment ago',
      params: ['0x1'],
      result: {
        order_id: '0x1',
        market_id: 1,
        owner: sample.address,
        side: 'buy',
        price: '0x64',
        size: '0xa',
        tif: 'gtc',
        remaining: '0xa',
        client_id: null,
        expires_at: '0x0',
        filled: '0x0',
        decremented: '0x0',
        status: 'cancelled',
        reason: 'user',
        created_block: sample.height,
        closed_block: sample.height,
      },
    },
  ],
  handler: async ({ ports }, key) => {
    const found = await ports.books.order(key);
    if (found !== null) return found.isOpen ? formatOpenOrder(found.order) : formatClosedOrder(found.order);
    if ('orderId' in key && key.orderId >= (await ports.books.nextOrderId())) return null;
    const ended = await ports.chain.endedOrder(key);
    return ended === null ? null : formatClosedOrder(ended);
  },
});
