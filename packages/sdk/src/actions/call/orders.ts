import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toNumber, toQuantity } from '../../decode/quantity.ts';
import { marketIdOf } from '../../decode/references.ts';
import { decodeBatch, decodeInclusion, decodePlacedOrder } from '../../decode/results.ts';
import type { BatchItem } from '../../types/action.ts';
import type { OrderRequest, TriggerRequest } from '../../types/order.ts';
import type { Address, Hash, MarketReference } from '../../types/primitives.ts';
import type { BatchResult, CancelledOrders, Inclusion, PlacedOrder } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';
import { encodeItem, encodeOrder, encodeTrigger } from './wireOrder.ts';

/** Orders by JSON-RPC calls. */

/** The order and its owner. */
export type CallSubmitOrderParameters = OrderRequest & { readonly owner: Address } & CallOptions;
/** What became of the order, and the block that matched it. */
export type CallSubmitOrderReturnType = PlacedOrder & Inclusion;

/**
 * Places an order by `primeorders_submitOrder`. `placeOrder` signs one.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callSubmitOrder(
  client: PrimeClient,
  { owner, authorization, ...order }: CallSubmitOrderParameters,
): Promise<CallSubmitOrderReturnType> {
  const answer = await callRpc(client, 'primeorders_submitOrder', [
    { owner, ...encodeOrder(order) },
    encodeAuthorization(authorization),
  ]);
  return { ...decodePlacedOrder(answer), ...decodeInclusion(answer) };
}

/** The order by its id; its owner follows from it. */
export interface CallCancelOrderParameters extends CallOptions {
  readonly orderId: number;
}
/** An order that can not be cancelled throws, so there is no false. */
export type CallCancelOrderReturnType = true;

/**
 * Takes an order out of the book by `primeorders_cancelOrder`, in the name of its owner. `cancelOrder` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callCancelOrder(
  client: PrimeClient,
  { orderId, authorization }: CallCancelOrderParameters,
): Promise<CallCancelOrderReturnType> {
  return callRpc(client, 'primeorders_cancelOrder', [toQuantity(orderId), encodeAuthorization(authorization)]);
}

/** Whose orders end, and in which market. */
export interface CallCancelAllParameters extends CallOptions {
  readonly owner: Address;
  /** Without: in all markets. */
  readonly market?: MarketReference | undefined;
}
/** Ids of the orders that ended, and the block that ended them. */
export type CallCancelAllReturnType = CancelledOrders & { readonly blockNumber: bigint };

/**
 * Cancels the open orders of an account by `primeorders_cancelAll`. `cancelAllOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callCancelAll(
  client: PrimeClient,
  { owner, market, authorization }: CallCancelAllParameters,
): Promise<CallCancelAllReturnType> {
  const id = market === undefined ? null : marketIdOf(market);
  const answer = await callRpc(client, 'primeorders_cancelAll', [owner, id, encodeAuthorization(authorization)]);
  return {
    type: 'cancelAll',
    orderIds: answer.cancelled_orders.map(toNumber),
    blockNumber: toBigint(answer.block_number),
  };
}

/** The trigger and whose it is. */
export type CallPlaceTriggerParameters = TriggerRequest & CallOptions & { readonly owner: Address };
/** Its id, and the block from which on it waits. */
export interface CallPlaceTriggerReturnType {
  readonly orderId: number;
  readonly marketId: number;
  readonly blockNumber: bigint;
  readonly hash: Hash;
}

/**
 * Places an order that waits for the mark of its market by `primeorders_placeTrigger`. `placeTrigger` signs it.
 *
 * @throws TooManyTriggersError, RefusalError of another kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callPlaceTrigger(
  client: PrimeClient,
  { owner, authorization, ...trigger }: CallPlaceTriggerParameters,
): Promise<CallPlaceTriggerReturnType> {
  const wire = { owner, ...encodeTrigger(trigger) };
  const answer = await callRpc(client, 'primeorders_placeTrigger', [wire, encodeAuthorization(authorization)]);
  return {
    orderId: toNumber(answer.order_id),
    marketId: answer.market_id,
    blockNumber: toBigint(answer.block_number),
    hash: answer.hash,
  };
}

/** Whose orders end, and at which block time. */
export interface CallScheduleCancelParameters extends CallOptions {
  readonly owner: Address;
  /** ms, at least 5 seconds ahead of block time; 0 takes an earlier one back. */
  readonly atMs: number;
}
/** What is set from the block on; null where nothing is. */
export interface CallScheduleCancelReturnType {
  readonly atMs: number | null;
  readonly blockNumber: bigint;
}

/**
 * Has all orders of an account end at a block time by `primeorders_scheduleCancel`. `scheduleCancel` signs it.
 *
 * @throws BadScheduleError, RefusalError of another kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callScheduleCancel(
  client: PrimeClient,
  { owner, atMs, authorization }: CallScheduleCancelParameters,
): Promise<CallScheduleCancelReturnType> {
  const answer = await callRpc(client, 'primeorders_scheduleCancel', [owner, atMs, encodeAuthorization(authorization)]);
  return { atMs: answer.at_ms === null ? null : toNumber(answer.at_ms), blockNumber: toBigint(answer.block_number) };
}

/** Whose orders they are, and 1 to 100 items that are carried out in their order. */
export interface CallBatchParameters extends CallOptions {
  readonly owner: Address;
  readonly items: readonly BatchItem[];
}
/** One result for each item in their order, and the block that holds them. */
export type CallBatchReturnType = BatchResult & Inclusion;

/**
 * Up to 100 orders, cancels and modifies by `primeorders_batch`. `submitBatch` signs them.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callBatch(
  client: PrimeClient,
  { owner, items, authorization }: CallBatchParameters,
): Promise<CallBatchReturnType> {
  const answer = await callRpc(client, 'primeorders_batch', [
    owner,
    items.map(encodeItem),
    encodeAuthorization(authorization),
  ]);
  return { ...decodeBatch(answer), ...decodeInclusion(answer) };
}
