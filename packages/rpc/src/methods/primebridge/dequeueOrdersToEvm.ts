import { authorization } from '../../orders/authorization.ts';
import { dequeue, dequeuedResult } from '../../orders/bridgeActions.ts';
import { defineMethod, optional } from '../../define.ts';
import { sample } from '../../schema/samples.ts';

/** Needs no right over the accounts: the queue says who gets what. */
export const dequeueOrdersToEvm = defineMethod({
  name: 'primebridge_dequeueOrdersToEvm',
  summary:
    'Carries out queued transfers to EVM balances, first in, first out, at most 1000; answers which, and how many still wait.',
  params: [optional('authorization', authorization)],
  result: dequeuedResult,
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [
    {
      params: [],
      result: {
        processed: [
          {
            transfer_id: '0x1',
            from: sample.address,
            to: sample.otherAddress,
            amount: '0x3e8',
            status: 'completed',
            reason: null,
          },
        ],
        pending: '0x0',
        block_number: sample.height,
      },
    },
  ],
  handler: (context, signed) => dequeue(context, 'orders_to_evm', signed),
});
