import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeOpenOrder } from '../../../decode/order.ts';
import type { OpenOrder } from '../../../types/order.ts';
import type { Address } from '../../../types/primitives.ts';

/** Whose orders they are. */
export interface GetOpenOrdersParameters {
  readonly address: Address;
}
/** By order id, ascending. */
export type GetOpenOrdersReturnType = readonly OpenOrder[];

/**
 * The resting orders of an account in all markets, by order id.
 */
export async function getOpenOrders(
  client: PrimeClient,
  { address }: GetOpenOrdersParameters,
): Promise<GetOpenOrdersReturnType> {
  return (await callRpc(client, 'primeorders_getOpenOrders', [address])).map(decodeOpenOrder);
}
