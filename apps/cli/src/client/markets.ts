import type { Market } from '@prime/sdk';
import { type Connection } from './connect.ts';

/** People write ETH-USD, because a slash means folders to them; the chain has ETH/USD. */
const symbolOf = (text: string): string => text.replace('-', '/');

/** A market by its symbol, such as ETH-USD, eth/usd, or its id. @throws MarketNotFoundError with those that there are */
export const marketOf = ({ client }: Connection, text: string): Promise<Market> =>
  client.getMarket({ market: /^\d{1,9}$/.test(text) ? Number(text) : symbolOf(text) });

/** All markets by id. */
export async function marketsById({ client }: Connection): Promise<ReadonlyMap<number, Market>> {
  return new Map((await client.getMarkets()).map((market) => [market.marketId, market]));
}
