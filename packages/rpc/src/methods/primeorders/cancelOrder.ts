import { Type } from '@sinclair/typebox';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { cancelOrder as cancel, orderId, actionErrorCodes } from '../../orders/orderActions.ts';

/** An order that was filled or cancelled before is refused with the error of its case. */
export const cancelOrder = defineMethod({
  name: 'primeorders_cancelOrder',
  summary: 'Takes an open order out of the book; true after the block that did so is committed.',
  params: [required('orderId', orderId), optional('authorization', authorization)],
  result: Type.Literal(true),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [{ params: ['0x1'], result: true }],
  handler: async (context, id, signed) => {
    await cancel(context, id, signed);
    return true;
  },
});
