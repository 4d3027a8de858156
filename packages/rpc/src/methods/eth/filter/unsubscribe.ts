import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../../define.ts';
import { RpcError } from '../../../errors/errors.ts';
import { filterId } from '../../../streams/filters.ts';
import { sample } from '../../../schema/samples.ts';
import { subscriptionsOf } from '../../../streams/streams.ts';

/** Only subscriptions of the same connection can be ended. */
export const unsubscribe = defineMethod({
  name: 'eth_unsubscribe',
  summary: 'Ends a subscription of this WebSocket connection.',
  params: [required('subscriptionId', filterId)],
  result: Type.Literal(true),
  errors: ['RPC_NOTIFICATIONS_UNSUPPORTED', 'RPC_SUBSCRIPTION_NOT_FOUND'],
  privacy: 'public',
  examples: [{ params: [sample.subscriptionId], result: true }],
  handler: async (context, id) => {
    if (subscriptionsOf(context).close(id)) return true;
    throw new RpcError('subscription not found', { code: 'RPC_SUBSCRIPTION_NOT_FOUND' });
  },
});
