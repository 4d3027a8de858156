import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod, required } from '../../define.ts';
import { formatTrigger, triggerResultFields } from '../../orders/orderResult.ts';
import type { OpenOrder } from '../../ports/ports.ts';
import { addressResult, dataResult, orNull, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address } from '../../schema/valueTypes.ts';

const formatOrder = (order: OpenOrder): Record<string, unknown> => ({
  order_id: toQuantity(order.orderId),
  market_id: order.marketId,
  owner: order.owner,
  side: order.side,
  price: toQuantity(order.price),
  size: toQuantity(order.size),
  filled: toQuantity(order.size - order.remaining),
  remaining: toQuantity(order.remaining),
  tif: order.tif,
  client_id: order.clientId,
  created_block: toQuantity(order.createdHeight),
  expires_at: toQuantity(order.expiresAt),
  reduce_only: order.reduceOnly,
  ...formatTrigger(order),
});

/** At the newest executed block; ids are given in the order of placement. */
export const getOpenOrders = defineMethod({
  name: 'primeorders_getOpenOrders',
  summary:
    'The resting orders of an account in all markets, and its triggers, by order id. A trigger has `kind` and `trigger_price`; its `price` is the limit of its order, 0x0 for a market order. One that is attached to an order has `parent_order_id`.',
  params: [required('address', address)],
  result: Type.Array(
    Type.Object({
      order_id: quantityResult,
      market_id: Type.Integer(),
      owner: addressResult,
      side: Type.String(),
      price: quantityResult,
      size: quantityResult,
      filled: quantityResult,
      remaining: quantityResult,
      tif: Type.String(),
      client_id: orNull(dataResult),
      created_block: quantityResult,
      expires_at: quantityResult,
      reduce_only: Type.Boolean(),
      ...triggerResultFields,
    }),
  ),
  privacy: 'operatorAfterFork',
  examples: [
    {
      params: [sample.address],
      result: [
        {
          order_id: '0x1',
          market_id: 1,
          owner: sample.address,
          side: 'buy',
          price: '0x64',
          size: '0xa',
          filled: '0x0',
          remaining: '0xa',
          tif: 'gtc',
          client_id: null,
          created_block: sample.height,
          expires_at: '0x0',
          reduce_only: false,
        },
      ],
    },
  ],
  handler: async ({ ports }, owner) => (await ports.books.openOrders(owner)).map(formatOrder),
});
