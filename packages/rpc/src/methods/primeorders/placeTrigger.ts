import { type Address, parseAddress, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { actionErrorCodes, execute } from '../../orders/orderActions.ts';
import {
  type ParsedTriggerFields,
  parseTriggerFields,
  triggerFieldSchemas,
  type WireTriggerFields,
} from '../../orders/triggerFields.ts';
import { hashResult, quantityResult } from '../../schema/resultSchemas.ts';
import { sample } from '../../schema/samples.ts';
import { addressSchema, hintKey, type ValueType, valueType } from '../../schema/valueTypes.ts';

interface WireTrigger extends WireTriggerFields {
  readonly owner: string;
}

const trigger: ValueType<{ readonly owner: Address; readonly fields: ParsedTriggerFields }> = valueType(
  Type.Object(
    { owner: addressSchema, ...triggerFieldSchemas },
    { additionalProperties: false, [hintKey]: 'must be a trigger object' },
  ),
  (wire: WireTrigger) => ({ owner: parseAddress(wire.owner), fields: parseTriggerFields(wire, 'trigger') }),
);

/** Waits from the block on; what becomes of its order is told by events and by primeorders_getOrder. */
export const placeTrigger = defineMethod({
  name: 'primeorders_placeTrigger',
  summary:
    'Places an order that waits until the mark of its market is at `trigger_price`: a `stop` that buys fires at that price or above, one that sells at it or below, and a `take_profit` the other way round. It fires in the block behind the one whose mark is there, and holds no margin until then. Without `limit_price` it is a market order.',
  params: [required('trigger', trigger), optional('authorization', authorization)],
  result: Type.Object({
    order_id: quantityResult,
    market_id: Type.Integer(),
    block_number: quantityResult,
    hash: hashResult,
  }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [{ owner: sample.address, market_id: 1, side: 'buy', kind: 'stop', trigger_price: '0x6e', size: '0xa' }],
      result: { order_id: '0x1', market_id: 1, block_number: sample.height, hash: sample.hash },
    },
  ],
  handler: async (context, { owner, fields }, signed) => {
    const selfTrade = fields.selfTrade ?? context.info.selfTrade;
    const { value, height, hash } = await execute(
      context,
      'order',
      owner,
      { type: 'trigger', ...fields, selfTrade },
      signed,
    );
    return {
      order_id: toQuantity(value.orderId),
      market_id: value.marketId,
      block_number: toQuantity(height),
      hash,
    };
  },
});
