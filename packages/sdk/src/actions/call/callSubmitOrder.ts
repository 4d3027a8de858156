import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeInclusion, decodePlacedOrder } from '../../decode/results.ts';
import type { OrderRequest } from '../../types/order.ts';
import type { Address } from '../../types/primitives.ts';
import type { Inclusion, PlacedOrder } from '../../types/results.ts';
import { encodeOrder } from './wireOrder.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

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
