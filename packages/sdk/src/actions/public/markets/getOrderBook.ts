import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeOrderBook } from '../../../decode/order.ts';
import { toQuantity } from '../../../decode/quantity.ts';
import { marketIdOf } from '../../../decode/references.ts';
import type { OrderBook } from '../../../types/order.ts';
import type { MarketReference } from '../../../types/primitives.ts';

/** Which book it is. */
export interface GetOrderBookParameters {
  /** The market, or its id. */
  readonly market: MarketReference;
}
/** Orders of one price are one level with the sum of their sizes. */
export type GetOrderBookReturnType = OrderBook;

/**
 * Price levels of a market, the best of each side first.
 *
 * @throws UnknownMarketError
 */
export async function getOrderBook(
  client: PrimeClient,
  { market }: GetOrderBookParameters,
): Promise<GetOrderBookReturnType> {
  const parameters = [toQuantity(marketIdOf(market))] as [`0x${string}`];
  return decodeOrderBook(await callRpc(client, 'primeorders_getOrderBook', parameters));
}
