import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeTrade } from '../../../decode/order.ts';
import { toBigint } from '../../../decode/quantity.ts';
import { marketIdOf } from '../../../decode/references.ts';
import type { Trade } from '../../../types/order.ts';
import type { MarketReference } from '../../../types/primitives.ts';

/** A market, and how many of its trades. */
export interface GetTradesParameters {
  /** The market, or its id. */
  readonly market: MarketReference;
  /** At most 1000. Default 100. */
  readonly limit?: number | undefined;
}
/** Newest first, each with the block that it stands in. */
export type GetTradesReturnType = readonly (Trade & { readonly blockNumber: bigint })[];

/**
 * The latest trades of a market, newest first; older ones are found with `getDomainEvents`.
 *
 * @throws UnknownMarketError, InvalidParametersError for a limit above 1000
 */
export async function getTrades(
  client: PrimeClient,
  { market, limit }: GetTradesParameters,
): Promise<GetTradesReturnType> {
  const trades = await callRpc(client, 'primeorders_getTrades', [marketIdOf(market), limit ?? null]);
  return trades.map((trade) => ({ ...decodeTrade(trade), blockNumber: toBigint(trade.block_number) }));
}
