import {
  type ActionError,
  type ActionPayload,
  type ActionValue,
  type BracketFields,
  type BracketLeg,
  type SelfTradeMode,
  selfTradeModes,
  type Side,
  sides,
  type TimeInForce,
  timesInForce,
  type TradeValue,
  refuse,
} from '@prime/codec';
import {
  type Address,
  type Hash,
  type Height,
  type MarketId,
  type OrderId,
  zeroAddress,
  toQuantity,
  toSignedQuantity,
} from '@prime/primitives';
import { type TSchema, Type } from '@sinclair/typebox';
import { type CallAuthorization, requestOf } from './authorization.ts';
import type { MethodContext } from '../define.ts';
import { invalidParams, RpcError } from '../errors/errors.ts';
import type { ExecutedAction } from '../ports/ports.ts';
import { boolean, hintKey, index, type ValueType, valueType } from '../schema/valueTypes.ts';

/** What the primeorders_ methods share: amounts, ids, and actions that answer after commit. */

/** Prices and sizes are below 2^128. */
export const orderAmountSchema = Type.String({
  pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,31})$',
  [hintKey]: 'must be a hex quantity below 2^128 without leading zeros',
});

/** A price in wei per base unit, or a size in base units; 0 is taken. */
export const orderAmount: ValueType<bigint> = valueType(orderAmountSchema, (value: string) => BigInt(value));

/** {@link orderAmount} above zero. */
export const positiveAmount: ValueType<bigint> = valueType(
  Type.String({
    pattern: '^0x[1-9a-fA-F][0-9a-fA-F]{0,31}$',
    [hintKey]: 'must be a hex quantity from 1 to 2^128 - 1 without leading zeros',
  }),
  (value: string) => BigInt(value),
);

const marketIdMax = 0xffff_ffff;

/** Latest time in seconds, of the year 5138: what is above it can only be milliseconds. */
export const latestSeconds = 100_000_000_000;

/** A market id as the document's hex string, or the JSON number that an order carries. */
export const marketId: ValueType<MarketId> = valueType(index.schema, (value: string | number) => {
  const id = Number(value);
  if (id < 1 || id > marketIdMax) throw invalidParams('marketId', `must be from 1 to ${marketIdMax}`);
  return id as MarketId;
});

/** {@link marketId} in an object that the schema has seen. */
export const marketIdOf = (wire: string | number): MarketId =>
  (marketId.parse as (value: string | number) => MarketId)(wire);

/** From 1 to below 2^52. @throws RpcError `RPC_INVALID_PARAMS` for 0 */
export const orderId: ValueType<OrderId> = valueType(
  Type.String({
    pattern: '^0x(0|[1-9a-fA-F][0-9a-fA-F]{0,12})$',
    [hintKey]: 'must be a hex order id without leading zeros',
  }),
  (value: string) => {
    if (BigInt(value) === 0n) throw invalidParams('orderId', 'must be at least 0x1');
    return Number(value) as OrderId;
  },
);

/** Fields of an order as its owner writes them, without the owner. */
export interface WireOrderFields {
  readonly market_id: string | number;
  readonly side: Side;
  readonly price: string;
  readonly size: string;
  readonly tif: TimeInForce;
  readonly post_only?: boolean;
  readonly reduce_only?: boolean;
  readonly stp?: SelfTradeMode;
  readonly client_id?: string;
  readonly expires_at?: string | number;
  readonly stop?: WireLeg;
  readonly take_profit?: WireLeg;
}

/** A price at which what the order fills is closed again. */
interface WireLeg {
  readonly trigger_price: string;
  readonly limit_price?: string;
}

/** One of some words. */
export const oneOf = (words: readonly string[]): TSchema =>
  Type.Union(
    words.map((word) => Type.Literal(word)),
    { [hintKey]: `must be one of ${words.join(', ')}` },
  );

/** The caller's own id of an order, 16 bytes; no two live orders of an owner have the same one. */
export const clientIdSchema = Type.String({
  pattern: '^0x[0-9a-fA-F]{32}$',
  [hintKey]: 'must be 0x and 32 hex digits',
});

const legSchema = Type.Object(
  { trigger_price: orderAmountSchema, limit_price: Type.Optional(orderAmountSchema) },
  { additionalProperties: false, [hintKey]: 'must be an object with trigger_price, and limit_price where it has one' },
);

/** Fields of an order as a call has them, to be spread into the schema of the object around them. */
export const orderFieldSchemas = {
  market_id: marketId.schema,
  side: oneOf(sides),
  price: orderAmountSchema,
  size: orderAmountSchema,
  tif: oneOf(timesInForce),
  post_only: Type.Optional(boolean.schema),
  reduce_only: Type.Optional(boolean.schema),
  stp: Type.Optional(oneOf(selfTradeModes)),
  client_id: Type.Optional(clientIdSchema),
  expires_at: Type.Optional(index.schema),
  stop: Type.Optional(legSchema),
  take_profit: Type.Optional(legSchema),
} as const;

/** selfTrade is null where the order leaves it to the network; stop and takeProfit where there is none. */
export type ParsedOrderFields = Omit<BracketFields, 'selfTrade'> & { readonly selfTrade: SelfTradeMode | null };

const legOf = (wire: WireLeg | undefined): BracketLeg | null =>
  wire === undefined ? null : { triggerPrice: BigInt(wire.trigger_price), limitPrice: BigInt(wire.limit_price ?? 0) };

/** @param path of the order in the parameters, for errors */
export function parseOrderFields(wire: WireOrderFields, path: string): ParsedOrderFields {
  if (wire.post_only === true && wire.tif !== 'gtc') throw invalidParams(`${path}.post_only`, 'is for gtc orders only');
  const expiresAt = Number(wire.expires_at ?? 0);
  if (expiresAt > latestSeconds)
    throw invalidParams(`${path}.expires_at`, 'is in seconds, and this is a time in milliseconds');
  return {
    marketId: marketIdOf(wire.market_id),
    side: wire.side,
    price: BigInt(wire.price),
    size: BigInt(wire.size),
    tif: wire.tif,
    postOnly: wire.post_only ?? false,
    reduceOnly: wire.reduce_only ?? false,
    selfTrade: wire.stp ?? null,
    clientId: wire.client_id?.toLowerCase() ?? null,
    expiresAt,
    stop: legOf(wire.stop),
    takeProfit: legOf(wire.take_profit),
  };
}

/** The action of an order: a bracket where something is attached to it. @param networkSelfTrade of an order that leaves it to the network */
export function orderAction(fields: ParsedOrderFields, networkSelfTrade: SelfTradeMode): ActionPayload {
  const { stop, takeProfit, ...order } = { ...fields, selfTrade: fields.selfTrade ?? networkSelfTrade };
  return stop === null && takeProfit === null
    ? { type: 'order', ...order }
    : { type: 'bracket', ...order, stop, takeProfit };
}

/** A trade as results show it. */
export const formatTrade = (trade: TradeValue): Record<string, unknown> => ({
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

type OrderValue = Extract<ActionValue, { readonly type: 'order' }>;

/** What became of an order that was placed, without block and hash. */
export const formatOrderValue = (value: OrderValue): Record<string, unknown> => ({
  order_id: toQuantity(value.orderId),
  filled: toQuantity(value.filled),
  remaining: toQuantity(value.remaining),
  trades: value.trades.map(formatTrade),
  status: value.status,
  market_id: value.marketId,
  decremented: toQuantity(value.decremented),
  reason: value.reason,
});

/** What an action of one type answered, and in which block it was executed. */
export interface ActionOutcome<Type extends ActionValue['type']> {
  readonly value: Extract<ActionValue, { readonly type: Type }>;
  readonly height: Height;
  readonly hash: Hash;
}

/** How methods fail that have an action executed. */
export const actionErrorCodes = ['RPC_ACTION_REFUSED', 'RPC_ACTION_NOT_EXECUTED', 'RPC_UNAUTHORIZED'] as const;

/** @throws RpcError `RPC_ACTION_REFUSED` */
function throwRefusal(error: ActionError, hash: Hash | null): never {
  throw new RpcError(error.message, { code: 'RPC_ACTION_REFUSED', error, hash });
}

/**
 * Refuses as the order book would: for reads, which no action stands behind.
 *
 * @throws RpcError `RPC_ACTION_REFUSED`
 */
export const refuseUnknownMarket = (id: MarketId): never =>
  throwRefusal(refuse('CLOB_UNKNOWN_MARKET', `unknown market ${id}`, { market_id: id }).error, null);

function outcomeOf<Type extends ActionValue['type']>(executed: ExecutedAction, type: Type): ActionOutcome<Type> {
  const { result, height, hash } = executed;
  if (!result.ok) return throwRefusal(result.error, hash);
  if (result.value.type !== type) throw new Error(`a ${type} action came back as ${result.value.type}`);
  return { value: result.value as ActionOutcome<Type>['value'], height, hash };
}

/**
 * Has the action executed by the network.
 *
 * @param type kind of its result
 * @throws RpcError `RPC_ACTION_REFUSED`, `RPC_ACTION_NOT_EXECUTED`, `RPC_UNAUTHORIZED`
 */
export async function execute<Type extends ActionValue['type']>(
  { ports }: MethodContext,
  type: Type,
  account: Address,
  payload: ActionPayload,
  authorized?: CallAuthorization,
): Promise<ActionOutcome<Type>> {
  return outcomeOf(await ports.actions.submit(requestOf(account, payload, authorized)), type);
}

/**
 * Cancels in the name of the order's owner, whom the request does not name. This node's book knows the owner of every order
 * that it has seen; an order that another node's client just placed may be newer than that. Then the refusal, which comes out
 * of a later block than the order, is the sign that the book has it by now.
 */
export async function cancelOrder(
  context: MethodContext,
  id: OrderId,
  authorized: CallAuthorization | undefined,
): Promise<ActionOutcome<'cancel'>> {
  const { books, actions } = context.ports;
  const payload: ActionPayload = { type: 'cancel', orderId: id };
  // Who signs knows for whom.
  const owner = authorized?.account ?? (await books.orderOwner(id));
  if (owner !== null) return execute(context, 'cancel', owner, payload, authorized);
  if (authorized !== undefined)
    throw invalidParams('authorization.account', 'is needed for an order that this node does not know');
  const refused = await actions.submit(requestOf(zeroAddress, payload, undefined));
  const newOwner = await books.orderOwner(id);
  return newOwner === null ? outcomeOf(refused, 'cancel') : execute(context, 'cancel', newOwner, payload, undefined);
}
