import { type Address, parseAddress, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import {
  execute,
  formatOrderValue,
  orderAction,
  orderFieldSchemas,
  type ParsedOrderFields,
  parseOrderFields,
  type WireOrderFields,
  actionErrorCodes,
} from '../../orders/orderActions.ts';
import { hashResult, orNull, quantityResult, tradeResult } from '../../schema/resultSchemas.ts';
import { sample, sampleOrderValue } from '../../schema/samples.ts';
import { addressSchema, hintKey, type ValueType, valueType } from '../../schema/valueTypes.ts';

interface WireOrder extends WireOrderFields {
  readonly owner: string;
}

const order: ValueType<{ readonly owner: Address; readonly fields: ParsedOrderFields }> = valueType(
  Type.Object(
    { owner: addressSchema, ...orderFieldSchemas },
    // An unknown key is more likely a misspelt one than one to ignore, and orders cost money.
    { additionalProperties: false, [hintKey]: 'must be an order object' },
  ),
  (wire: WireOrder) => ({ owner: parseAddress(wire.owner), fields: parseOrderFields(wire, 'order') }),
);

/** Price in wei per base unit, sizes in base units; the fills are those of this order alone. */
export const submitOrder = defineMethod({
  name: 'primeorders_submitOrder',
  summary:
    'Places a limit order and returns what became of it, after the block that matched it is committed. With `stop` or `take_profit`, triggers come with it: they sleep until it fills, then close what it filled. Their ids are the next ones after the order, the stop first.',
  params: [required('order', order), optional('authorization', authorization)],
  result: Type.Object({
    order_id: quantityResult,
    filled: quantityResult,
    remaining: quantityResult,
    trades: Type.Array(tradeResult),
    status: Type.String(),
    market_id: Type.Integer(),
    decremented: quantityResult,
    reason: orNull(Type.String()),
    block_number: quantityResult,
    hash: hashResult,
  }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [{ owner: sample.address, market_id: 1, side: 'buy', price: '0x64', size: '0xa', tif: 'gtc' }],
      result: { ...sampleOrderValue, block_number: sample.height, hash: sample.hash },
    },
  ],
  handler: async (context, { owner, fields }, signed) => {
    const outcome = await execute(context, 'order', owner, orderAction(fields, context.info.selfTrade), signed);
    return {
      ...formatOrderValue(outcome.value),
      block_number: toQuantity(outcome.height),
      hash: outcome.hash,
    };
  },
});
