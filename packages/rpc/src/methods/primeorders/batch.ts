import { type ActionPayload, type ActionResult, batchItemsMax, type SelfTradeMode } from '@prime/codec';
import { type OrderId, toQuantity } from '@prime/primitives';
import { Type } from '@sinclair/typebox';
import { actionErrorCode, actionErrorData } from '../../errors/actionErrors.ts';
import { authorization } from '../../orders/authorization.ts';
import { defineMethod, optional, required } from '../../define.ts';
import { invalidParams } from '../../errors/errors.ts';
import {
  clientIdSchema,
  execute,
  formatOrderValue,
  marketId,
  marketIdOf,
  orderAction,
  orderAmountSchema,
  orderFieldSchemas,
  orderId,
  parseOrderFields,
  type WireOrderFields,
  actionErrorCodes,
} from '../../orders/orderActions.ts';
import { parseTriggerFields, triggerFieldSchemas, type WireTriggerFields } from '../../orders/triggerFields.ts';
import { hashResult, quantityResult } from '../../schema/resultSchemas.ts';
import { sample, sampleOrderValue } from '../../schema/samples.ts';
import { address, hintKey, nullable, type ValueType, valueType } from '../../schema/valueTypes.ts';

type WireItem =
  | ({ readonly type: 'trigger' } & WireTriggerFields)
  | ({ readonly type: 'order' } & WireOrderFields)
  | { readonly type: 'cancel'; readonly order_id: string }
  | { readonly type: 'cancel_by_client_id'; readonly market_id: string | number; readonly client_id: string }
  | { readonly type: 'cancel_all'; readonly market_id?: string | number | null }
  | { readonly type: 'modify'; readonly order_id: string; readonly price: string; readonly size: string };

const strict = { additionalProperties: false } as const;
const itemSchema = Type.Union(
  [
    Type.Object({ type: Type.Literal('order'), ...orderFieldSchemas }, strict),
    Type.Object({ type: Type.Literal('trigger'), ...triggerFieldSchemas }, strict),
    Type.Object({ type: Type.Literal('cancel'), order_id: orderId.schema }, strict),
    Type.Object(
      { type: Type.Literal('cancel_by_client_id'), market_id: marketId.schema, client_id: clientIdSchema },
      strict,
    ),
    Type.Object({ type: Type.Literal('cancel_all'), market_id: Type.Optional(nullable(marketId.schema)) }, strict),
    Type.Object(
      { type: Type.Literal('modify'), order_id: orderId.schema, price: orderAmountSchema, size: orderAmountSchema },
      strict,
    ),
  ],
  { [hintKey]: 'must be an order, trigger, cancel, cancel_by_client_id, cancel_all or modify object with its type' },
);

const idOf = orderId.parse as (value: string) => OrderId;

/** @param selfTrade what an order does that does not say */
type Item = (selfTrade: SelfTradeMode) => ActionPayload;

function parseItem(wire: WireItem, path: string): Item {
  switch (wire.type) {
    case 'order': {
      const fields = parseOrderFields(wire, path);
      return (selfTrade) => orderAction(fields, selfTrade);
    }
    case 'trigger': {
      const fields = parseTriggerFields(wire, path);
      return (selfTrade) => ({ type: 'trigger', ...fields, selfTrade: fields.selfTrade ?? selfTrade });
    }
    case 'cancel':
      return () => ({ type: 'cancel', orderId: idOf(wire.order_id) });
    case 'cancel_by_client_id': {
      const clientId = wire.client_id.toLowerCase();
      const market = marketIdOf(wire.market_id);
      return () => ({ type: 'cancelByClientId', marketId: market, clientId });
    }
    case 'cancel_all': {
      const { market_id: named = null } = wire;
      const market = named === null ? null : marketIdOf(named);
      return () => ({ type: 'cancelAll', marketId: market });
    }
    default: {
      const { price, size } = wire;
      return () => ({ type: 'modify', orderId: idOf(wire.order_id), price: BigInt(price), size: BigInt(size) });
    }
  }
}

const items: ValueType<readonly Item[]> = valueType(
  Type.Array(itemSchema, { [hintKey]: 'must be a list of actions' }),
  (wire: readonly WireItem[]) => {
    if (wire.length < 1 || wire.length > batchItemsMax) throw invalidParams('items', `must be 1 to ${batchItemsMax}`);
    return wire.map((item, place) => parseItem(item, `items/${place}`));
  },
);

/** What the method that does the same alone would answer, without block and hash; or its error. */
function formatResult(result: ActionResult): Record<string, unknown> {
  if (!result.ok) {
    const { error } = result;
    return { error: { code: actionErrorCode(error), message: error.message, data: actionErrorData(error) } };
  }
  const { value } = result;
  switch (value.type) {
    case 'order':
      return formatOrderValue(value);
    case 'cancel':
      return { order_id: toQuantity(value.orderId), remaining: toQuantity(value.remaining) };
    case 'cancelAll':
      return { cancelled_orders: value.orderIds.map(toQuantity) };
    default:
      throw new Error(`a batch came back with a ${value.type}`);
  }
}

/** For market makers: one signature and one nonce for all items. */
export const batch = defineMethod({
  name: 'primeorders_batch',
  summary:
    'Up to 100 orders, triggers, cancels and changes of one account in one action. Each has its own result; a refused one does not stop the others. A batch of only cancels runs before the orders of its block, and a cancel_by_client_id in it takes out an order of that block, too; in any other batch the items run one after the other.',
  params: [required('address', address), required('items', items), optional('authorization', authorization)],
  result: Type.Object({
    results: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    block_number: quantityResult,
    hash: hashResult,
  }),
  errors: actionErrorCodes,
  privacy: 'public',
  examples: [
    {
      params: [
        sample.address,
        [
          { type: 'order', market_id: 1, side: 'buy', price: '0x1', size: '0xa', tif: 'gtc' },
          { type: 'cancel_all', market_id: 1 },
        ],
      ],
      result: {
        results: [sampleOrderValue, { cancelled_orders: ['0x1'] }],
        block_number: sample.height,
        hash: sample.hash,
      },
    },
  ],
  handler: async (context, owner, list, signed) => {
    const payload = { type: 'batch', items: list.map((item) => item(context.info.selfTrade)) } as const;
    const { value, height, hash } = await execute(context, 'batch', owner, payload, signed);
    return { results: value.results.map(formatResult), block_number: toQuantity(height), hash };
  },
});
