import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeMarket } from '../../../decode/market.ts';
import type { Market } from '../../../types/market.ts';
/** By id, ascending. */
export type GetMarketsReturnType = readonly Market[];

/**
 * All markets by id, with their units, prices and margin; fees, risk tiers and funding where the network has them.
 *
 * @example
 * const [market] = await client.getMarkets();
 * market.price('3012.55');
 */
export async function getMarkets(client: PrimeClient): Promise<GetMarketsReturnType> {
  return (await callRpc(client, 'primeorders_getMarkets', undefined)).map(decodeMarket);
}
