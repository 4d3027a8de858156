import { Type } from '@sinclair/typebox';
import { defineMethod, required } from '../../define.ts';
import { cancelOrder as cancel, orderId } from '../../orderActions.ts';

export const cancelOrder = defineMethod({
  name: 'primeorders_cancelOrder',
  summary: 'Takes an open order out of the book; true after the block that did so is committed.',
  params: [required('orderId', orderId)],
  result: Type.Literal(true),
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [{ params: ['0x1'], result: true }],
  handler: async (context, id) => {
    await cancel(context, id);
    return true;
  },
});
