import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeTicker } from '../../../decode/candle.ts';
import { marketIdOf } from '../../../decode/references.ts';
import type { Ticker } from '../../../types/market.ts';
import type { MarketReference } from '../../../types/primitives.ts';

/** One market, or all of them. */
export interface GetTickersParameters {
  /** Only this market, or its id. Default: all of them. */
  readonly market?: MarketReference | undefined;
}
/** By market id; the last 24 hours end with the newest block. */
export type GetTickersReturnType = readonly Ticker[];

/**
 * Prices, best bid and ask, open interest and the last 24 hours of markets, by id.
 *
 * @throws UnknownMarketError
 */
export async function getTickers(
  client: PrimeClient,
  { market }: GetTickersParameters = {},
): Promise<GetTickersReturnType> {
  const id = market === undefined ? null : marketIdOf(market);
  return (await callRpc(client, 'primeorders_getTickers', [id])).map(decodeTicker);
}
