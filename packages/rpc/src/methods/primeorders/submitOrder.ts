import type { OrderFields, SelfTradeMode, Side, TimeInForce, TradeValue } from '@prime/codec';
import { type Address, type MarketId, parseAddress } from '@prime/primitives';
import { type TSchema, Type } from '@sinclair/typebox';
import { authorization } from '../../authorization.ts';
import { defineMethod, optional, required, type ValueType } from '../../define.ts';
import { invalidParams } from '../../errors.ts';
import { toQuantity, toSignedQuantity } from '../../format/quantity.ts';
import { execute, marketIdMax, orderAmountSchema } from '../../orderActions.ts';
import { hashResult, quantityResult, tradeResult } from '../../resultSchemas.ts';
import { sample } from '../../samples.ts';
import { addressSchema, boolean, hintKey, index, valueType } from '../../valueTypes.ts';

interface WireOrder {
  readonly owner: string;
  readonly market_id: number;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly tif: TimeInForce;
  readonly post_only?: boolean;
  readonly reduce_only?: boolean;
  readonly stp?: SelfTradeMode;
  readonly client_id?: string;
  readonly expires_at?: string | number;
}

const oneOf = (words: readonly string[]): TSchema =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { [hintKey]: `must be one of ${words.join(', ')}` },
  );

const orderSchema = Type.Object(
  {
    owner: addressSchema,
    market_id: Type.Integer({
      minimum: 1,
      maximum: marketIdMax,
      [hintKey]: `must be an integer from 1 to ${marketIdMax}`,
    }),
    side: oneOf(['buy', 'sell']),
    price: orderAmountSchema,
    size: orderAmountSchema,
    tif: oneOf(['gtc', 'ioc', 'fok']),
    post_only: Type.Optional(boolean.schema),
    reduce_only: Type.Optional(boolean.schema),
    stp: Type.Optional(oneOf(['cancel_maker', 'cancel_taker', 'cancel_both', 'decrement'])),
    client_id: Type.Optional(
      Type.String({ pattern: '^0x[0-9a-fA-F]{32}$', [hintKey]: 'must be 0x and 32 hex digits' }),
    ),
    expires_at: Type.Optional(index.schema),
  },
  // An unknown key is more likely a misspelt one than one to ignore, and orders cost money.
  { additionalProperties: false, [hintKey]: 'must be an order object' },
);

interface ParsedOrder {
  readonly owner: Address;
  /** selfTrade is null where the order leaves it to the network. */
  readonly fields: Omit<OrderFields, 'selfTrade'> & { readonly selfTrade: SelfTradeMode | null };
}

function parseOrder(wire: WireOrder): ParsedOrder {
  if (wire.post_only === true && wire.tif !== 'gtc') throw invalidParams('order.post_only', 'is for gtc orders only');
  if (wire.reduce_only === true && wire.tif === 'gtc')
    throw invalidParams('order.reduce_only', 'is for ioc and fok orders only');
  return {
    owner: parseAddress(wire.owner),
    fields: {
      marketId: wire.market_id as MarketId,
      side: wire.side,
      price: BigInt(wire.price),
      size: BigInt(wire.size),
      tif: wire.tif,
      postOnly: wire.post_only ?? false,
      reduceOnly: wire.reduce_only ?? false,
      selfTrade: wire.stp ?? null,
      clientId: wire.client_id?.toLowerCase() ?? null,
      expiresAt: Number(wire.expires_at ?? 0),
    },
  };
}

const order: ValueType<ParsedOrder> = valueType(orderSchema, parseOrder);

const formatTrade = (trade: TradeValue): Record<string, unknown> => ({
  trade_id: toQuantity(trade.tradeId),
  price: toQuantity(trade.price),
  size: toQuantity(trade.size),
  maker_order_id: toQuantity(trade.makerOrderId),
  taker_order_id: toQuantity(trade.takerOrderId),
  maker: trade.maker,
  taker: trade.taker,
  side: trade.side,
  fee: toSignedQuantity(trade.fee),
});

export const submitOrder = defineMethod({
  name: 'primeorders_submitOrder',
  summary: 'Places a limit order and returns what became of it, after the block that matched it is committed.',
  params: [required('order', order), optional('authorization', authorization)],
  result: Type.Object({
    order_id: quantityResult,
    filled: quantityResult,
    remaining: quantityResult,
    trades: Type.Array(tradeResult),
    status: Type.String(),
    market_id: Type.Integer(),
    block_number: quantityResult,
    hash: hashResult,
  }),
  errors: ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'],
  privacy: 'public',
  examples: [
    {
      params: [{ owner: sample.address, market_id: 1, side: 'buy', price: '0x64', size: '0xa', tif: 'gtc' }],
      result: {
        order_id: '0x1',
        filled: '0x0',
        remaining: '0xa',
        trades: [],
        status: 'open',
        market_id: 1,
        block_number: sample.height,
        hash: sample.hash,
      },
    },
  ],
  handler: async (context, { owner, fields }, signed) => {
    const selfTrade = fields.selfTrade ?? context.info.selfTrade;
    const outcome = await execute(context, 'order', owner, { type: 'order', ...fields, selfTrade }, signed);
    const { value } = outcome;
    return {
      order_id: toQuantity(value.orderId),
      filled: toQuantity(value.filled),
      remaining: toQuantity(value.remaining),
      trades: value.trades.map(formatTrade),
      status: value.status,
      market_id: value.marketId,
      block_number: toQuantity(outcome.height),
      hash: outcome.hash,
    };
  },
});
