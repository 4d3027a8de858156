import { Type } from '@sinclair/typebox';
import { defineMethod, optional, required } from '../../../define.ts';
import { sample } from '../../../schema/samples.ts';
import { isHiddenTopic, parseTopic, subscriptionsOf, topicKind, topicOptions } from '../../../streams/streams.ts';

/** Works over WebSocket alone: `RPC_NOTIFICATIONS_UNSUPPORTED` elsewhere. */
export const subscribe = defineMethod({
  name: 'eth_subscribe',
  summary:
    'Opens a subscription of this WebSocket connection and answers its id; eth_subscription notifications follow.',
  params: [required('kind', topicKind), optional('options', topicOptions)],
  result: Type.String({ pattern: '^0x[1-9a-f][0-9a-f]{31}$' }),
  errors: [
    'RPC_NOTIFICATIONS_UNSUPPORTED',
    'RPC_UNKNOWN_SUBSCRIPTION',
    'RPC_LIMIT_EXCEEDED',
    'RPC_ACTION_REFUSED',
    'RPC_DISABLED_ON_SURFACE',
  ],
  privacy: isHiddenTopic,
  examples: [
    { params: ['newHeads'], result: sample.subscriptionId },
    { params: ['logs', { address: sample.address, topics: [] }], result: sample.subscriptionId },
    { params: ['newPendingTransactions', true], result: sample.subscriptionId },
    { params: ['orderBook', { market_id: 1 }], result: sample.subscriptionId },
    { params: ['fills', { address: sample.address }], result: sample.subscriptionId },
  ],
  handler: async (context, kind, options) => {
    const subscriptions = subscriptionsOf(context);
    return subscriptions.open(await parseTopic(context, kind, options), context.format);
  },
});
