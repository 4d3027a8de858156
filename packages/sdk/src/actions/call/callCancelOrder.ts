import { callRpc, type PrimeClient } from '../../client.ts';
import { toQuantity } from '../../decode/quantity.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

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
