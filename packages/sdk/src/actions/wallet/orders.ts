import type { PrimeClient } from '../../client.ts';
import type { ActionResult, BatchItem } from '../../types/action.ts';
import type { OrderRequest, TriggerRequest } from '../../types/order.ts';
import type { Hex, MarketReference, Price, Size } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Orders of an account, signed by its key. */

/** The order, and how it is signed and sent. */
export type PlaceOrderParameters = OrderRequest & SubmitOptions;
/** Id, fills and rest of the order, and the block that matched it. */
export type PlaceOrderReturnType = ActionResult<'order'> & Inclusion;

/**
 * Places a limit order and gives what became of it, after the block that matched it: id, fills, and what rests.
 *
 * @example
 * const { orderId } = await client.placeOrder({
 *   market,
 *   side: 'buy',
 *   price: market.price('3012.55'),
 *   size: market.size('0.25'),
 * });
 *
 * @throws InsufficientMarginError, PriceOffTickError, PostOnlyWouldCrossError and the other kinds of RefusalError
 * @throws what `submitAction` throws
 */
export function placeOrder(client: PrimeClient, parameters: PlaceOrderParameters): Promise<PlaceOrderReturnType> {
  return submitFields(client, 'order', parameters);
}

/** The trigger, and how it is signed and sent. */
export type PlaceTriggerParameters = TriggerRequest & SubmitOptions;
/** Its id, and the block from which on it waits. */
export type PlaceTriggerReturnType = ActionResult<'trigger'> & Inclusion;

/**
 * Places an order that waits until the mark of its market is at a price, and then comes by itself: a stop-loss, a take-profit, or an entry.
 *
 * @example
 * await client.placeTrigger({
 *   market,
 *   side: 'sell',
 *   kind: 'stop',
 *   triggerPrice: market.price('2900'),
 *   size: 'position',
 * });
 *
 * @throws TooManyTriggersError, PriceOffTickError, ReduceOnlyWouldIncreaseError and the other kinds of RefusalError
 * @throws what `submitAction` throws
 */
export function placeTrigger(client: PrimeClient, parameters: PlaceTriggerParameters): Promise<PlaceTriggerReturnType> {
  return submitFields(client, 'trigger', parameters);
}

/** The order, and the price and open size that it gets. */
export interface ModifyOrderParameters extends SubmitOptions {
  readonly orderId: number;
  readonly price: Price;
  /** What is to be open afterwards. */
  readonly size: Size;
}
/** The order as it is now, with the id that it may have got, and the block. */
export type ModifyOrderReturnType = ActionResult<'modify'> & Inclusion;

/**
 * Gives an order another price and another open size. Less of it at the same price keeps id and place; anything else is a new order with a new id, and
 * where that is refused the old one stays.
 *
 * @throws the kinds of RefusalError of orders and cancels; what `submitAction` throws
 */
export function modifyOrder(client: PrimeClient, parameters: ModifyOrderParameters): Promise<ModifyOrderReturnType> {
  return submitFields(client, 'modify', parameters);
}

/** The order by the network's id. */
export interface CancelOrderParameters extends SubmitOptions {
  readonly orderId: number;
}
/** What was left of the order, and the block that ended it. */
export type CancelOrderReturnType = ActionResult<'cancel'> & Inclusion;

/**
 * Takes an open order out of the book.
 *
 * @throws OrderFilledError, OrderCancelledError, UnknownOrderError, NotOwnerError; what `submitAction` throws
 */
export function cancelOrder(client: PrimeClient, parameters: CancelOrderParameters): Promise<CancelOrderReturnType> {
  return submitFields(client, 'cancel', parameters);
}

/** The order by its market and the id that its owner gave it. */
export interface CancelOrderByClientIdParameters extends SubmitOptions {
  readonly market: MarketReference;
  /** 16 bytes. */
  readonly clientId: Hex;
}
/** What was left of the order, and the block that ended it. */
export type CancelOrderByClientIdReturnType = ActionResult<'cancelByClientId'> & Inclusion;

/**
 * Takes an open order out of the book by the owner's name for it. One that comes to rest later in the same block is taken out, too.
 *
 * @throws UnknownClientIdError; what `submitAction` throws
 */
export function cancelOrderByClientId(
  client: PrimeClient,
  parameters: CancelOrderByClientIdParameters,
): Promise<CancelOrderByClientIdReturnType> {
  return submitFields(client, 'cancelByClientId', parameters);
}

/** Without a market the orders of all markets end. */
export interface CancelAllOrdersParameters extends SubmitOptions {
  readonly market?: MarketReference | undefined;
}
/** Ids of the orders that ended, and the block that ended them. */
export type CancelAllOrdersReturnType = ActionResult<'cancelAll'> & Inclusion;

/**
 * Cancels the open orders of the account in one market, or without it in all.
 *
 * @throws what `submitAction` throws
 */
export function cancelAllOrders(
  client: PrimeClient,
  parameters: CancelAllOrdersParameters = {},
): Promise<CancelAllOrdersReturnType> {
  return submitFields(client, 'cancelAll', parameters);
}

/** Block time at which the orders end. */
export interface ScheduleCancelParameters extends SubmitOptions {
  /** ms, at least 5 seconds ahead of block time; 0 takes an earlier one back. */
  readonly atMs: number;
}
/** The block from which on it holds. */
export type ScheduleCancelReturnType = ActionResult<'scheduleCancel'> & Inclusion;

/**
 * Has all open orders of the account end at a block time, in the place of an earlier one: a dead man's switch for who is cut off from the network.
 *
 * @throws BadScheduleError; what `submitAction` throws
 */
export function scheduleCancel(
  client: PrimeClient,
  parameters: ScheduleCancelParameters,
): Promise<ScheduleCancelReturnType> {
  return submitFields(client, 'scheduleCancel', parameters);
}

/** Items that one action carries out in their order. */
export interface SubmitBatchParameters extends SubmitOptions {
  /** 1 to 100. */
  readonly items: readonly BatchItem[];
}
/** One result for each item in their order, and the block that holds them. */
export type SubmitBatchReturnType = ActionResult<'batch'> & Inclusion;

/**
 * Up to 100 orders, cancels and modifies in one action with one signature. Each has its own result; a refused one does not stop the others.
 * `createBatch` builds the items. Wallets can show the number of items only, so batches are for keys in programs.
 *
 * @throws BatchSizeError; what `submitAction` throws
 */
export function submitBatch(client: PrimeClient, parameters: SubmitBatchParameters): Promise<SubmitBatchReturnType> {
  return submitFields(client, 'batch', parameters);
}
