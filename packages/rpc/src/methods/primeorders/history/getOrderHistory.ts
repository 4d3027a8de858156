import { Type } from '@sinclair/typebox';
import { toQuantity } from '@prime/primitives';
import { defineMethod } from '../../../define.ts';
import {
  answerPage,
  pageFields,
  pageParameters,
  pageResult,
  pageWords,
  samplePage,
  samplePlaced,
} from '../../../orders/accountPages.ts';
import { formatClosedOrder, orderResultFields } from '../../../orders/orderResult.ts';
import { orNull, quantityResult } from '../../../schema/resultSchemas.ts';
import { sample } from '../../../schema/samples.ts';

const endedOrderResult = Type.Object(
  {
    ...orderResultFields,
    decremented: quantityResult,
    reason: orNull(Type.String()),
    closed_block: quantityResult,
    time_ms: quantityResult,
  },
  { title: 'EndedOrder' },
);

/** What rests is in `primeorders_getOpenOrders`. */
export const getOrderHistory = defineMethod({
  name: 'primeorders_getOrderHistory',
  summary: `Orders of an account that ended, the last first by when they did: filled, cancelled or killed, each as primeorders_getOrder shows it, with \`time_ms\` of the block in which it ended. ${pageWords(pageFields)}`,
  params: pageParameters,
  result: pageResult('orders', 'OrderHistory', endedOrderResult),
  errors: ['RPC_ACTION_REFUSED'],
  cost: 'heavy',
  privacy: 'operatorAfterFork',
  fixedAtHead: true,
  examples: [
    {
      situation: 'an account whose only order was cancelled',
      params: [sample.address, { market_id: '0x1' }],
      result: samplePage('orders', [
        {
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
          time_ms: samplePlaced.time_ms,
        },
      ]),
    },
  ],
  handler: (context, address, page) =>
    answerPage(
      context,
      { list: 'orders', name: 'orders', address },
      page,
      (query) => context.ports.chain.accountOrders(query),
      ({ order, height, timestampMs }) => ({
        ...formatClosedOrder({ ...order, closedHeight: height }),
        time_ms: toQuantity(timestampMs),
      }),
    ),
});
