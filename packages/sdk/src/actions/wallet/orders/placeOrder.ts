import type { PrimeClient } from '../../../client.ts';
import type { OrderRequest } from '../../../types/order.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

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
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'order', ...fields } });
}
