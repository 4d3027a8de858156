import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeOrder } from '../../../decode/order.ts';
import { toQuantity } from '../../../decode/quantity.ts';
import type { Order } from '../../../types/order.ts';
import type { Address, Hex } from '../../../types/primitives.ts';

/** By id, or by the owner's own name for it. */
export type GetOrderParameters =
  | { readonly orderId: number; readonly owner?: undefined; readonly clientId?: undefined }
  | { readonly owner: Address; readonly clientId: Hex; readonly orderId?: undefined };
/** Null for an order that never was. */
export type GetOrderReturnType = Order | null;

/**
 * An order wherever it stands, or how it ended; null for one that never was. Of several with one client id: the live one, else the latest.
 *
 * @throws HistoryPrunedError where the node has deleted the blocks in which it may have ended
 */
export async function getOrder(client: PrimeClient, parameters: GetOrderParameters): Promise<GetOrderReturnType> {
  const key =
    parameters.orderId === undefined
      ? { owner: parameters.owner, client_id: parameters.clientId }
      : toQuantity(parameters.orderId);
  const order = await callRpc(client, 'primeorders_getOrder', [key]);
  return order === null ? null : decodeOrder(order);
}
