import { type MarketId, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { execute, marketId, actionErrorCodes } from '../../orders/orderActions.ts';
import { quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { address, nullable, valueType } from '../../schema/valueTypes.ts';

const marketOrAll = valueType(nullable(marketId.schema), (value: string | number | null): MarketId | null =>
  value === null ? null : (marketId.parse as (wire: string | number) => MarketId)(value),
);

/** Answers after the block that did so is committed; none open is no error. */
export const cancelAll = defineMethod({
  name: 'primeorders_cancelAll',
  summary: 'Cancels the open orders of an account, of one market or (without it) of all, and returns their ids.',
  params: [required('address', address), optional('marketId', marketOrAll), optional('authorization', authorization)],
  result: Type.Object({ cancelled_orders: Type.Array(quantityResult), block_number: quantityResult }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [{ params: [sample.otherAddress, '0x1'], result: { cancelled_orders: [], block_number: sample.height } }],
  handler: async (context, owner, market = null, signed) => {
    const payload = { type: 'cancelAll', marketId: market } as const;
    const { value, height } = await execute(context, 'cancelAll', owner, payload, signed);
    return { cancelled_orders: value.orderIds.map(toQuantity), block_number: toQuantity(height) };
  },
});
