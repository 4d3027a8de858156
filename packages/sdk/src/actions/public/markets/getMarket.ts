import type { PrimeClient } from '../../../client.ts';
import { MarketNotFoundError } from '../../../errors/own.ts';
import type { Market } from '../../../types/market.ts';
import { getMarkets } from './getMarkets.ts';

/** The market by its name for people or for actions. */
export interface GetMarketParameters {
  /** BASE/QUOTE in any case, or the id. */
  readonly market: string | number;
}
/** Units, prices and margin of the market, with functions that read decimals in its units. */
export type GetMarketReturnType = Market;

/**
 * One market by its symbol or id.
 *
 * @throws MarketNotFoundError with the symbols that there are
 */
export async function getMarket(client: PrimeClient, { market }: GetMarketParameters): Promise<GetMarketReturnType> {
  const markets = await getMarkets(client);
  const wanted = typeof market === 'string' ? market.toUpperCase() : market;
  const found = markets.find(({ marketId, symbol }) => wanted === marketId || wanted === symbol.toUpperCase());
  if (found !== undefined) return found;
  throw new MarketNotFoundError(
    market,
    markets.map(({ symbol }) => symbol),
  );
}
