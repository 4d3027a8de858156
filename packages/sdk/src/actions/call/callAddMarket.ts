import { callRpc, type PrimeClient } from '../../client.ts';
import { toNumber, toQuantity } from '../../decode/quantity.ts';
import type { Price, Size } from '../../types/primitives.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** The new market: `tickSize` in wei of the quote for one base unit, `lotSize` in base units. */
export interface CallAddMarketParameters extends CallOptions {
  /** BASE/QUOTE. */
  readonly symbol: string;
  readonly tickSize: Price;
  readonly lotSize: Size;
  /** Default 0: a base unit is a whole one. */
  readonly baseDecimals?: number | undefined;
  /** Default 18. */
  readonly quoteDecimals?: number | undefined;
}
/** Id of the new market, which orders name it by. */
export type CallAddMarketReturnType = { readonly marketId: number };

/**
 * Opens a market by `primeorders_addMarket`. `addMarket` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callAddMarket(
  client: PrimeClient,
  { symbol, tickSize, lotSize, baseDecimals = 0, quoteDecimals = 18, authorization }: CallAddMarketParameters,
): Promise<CallAddMarketReturnType> {
  const grid = [toQuantity(tickSize), toQuantity(lotSize)] as const;
  const decimals = { base_decimals: baseDecimals, quote_decimals: quoteDecimals };
  const authorized = encodeAuthorization(authorization);
  const id = await callRpc(client, 'primeorders_addMarket', [symbol, ...grid, decimals, authorized]);
  return { marketId: toNumber(id) };
}
