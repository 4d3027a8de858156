import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toNumber, toQuantity } from '../../decode/quantity.ts';
import { marketIdOf } from '../../decode/references.ts';
import { decodeLiquidation } from '../../decode/results.ts';
import type { Address, MarketReference, Price, Size } from '../../types/primitives.ts';
import type { Liquidation } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Markets and their margin by JSON-RPC calls. */

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

/** Margin as basis points of a position's notional: 10 000 is all of it. */
export interface CallSetMarginParamsParameters extends CallOptions {
  /** Without: the default of all markets that have none of their own. */
  readonly market?: MarketReference | undefined;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}
/** Margin that can not be set throws, so there is no false. */
export type CallSetMarginParamsReturnType = true;

/**
 * Sets margin by `primeorders_setMarginParams`. `setMarginParams` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callSetMarginParams(
  client: PrimeClient,
  { market, initialMarginBps, maintenanceMarginBps, authorization }: CallSetMarginParamsParameters,
): Promise<CallSetMarginParamsReturnType> {
  const market_id = market === undefined ? null : marketIdOf(market);
  const margin = { initialMarginBps, maintenanceMarginBps, market_id };
  return callRpc(client, 'primeorders_setMarginParams', [margin, encodeAuthorization(authorization)]);
}

/** The account whose positions are to be closed. */
export interface CallLiquidateParameters extends CallOptions {
  readonly address: Address;
}
/** What was closed and who paid for it, and the block that did it. */
export type CallLiquidateReturnType = Liquidation & { readonly blockNumber: bigint };

/**
 * Closes positions of an account below its maintenance margin by `primeorders_liquidate`. `liquidate` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callLiquidate(
  client: PrimeClient,
  { address, authorization }: CallLiquidateParameters,
): Promise<CallLiquidateReturnType> {
  const answer = await callRpc(client, 'primeorders_liquidate', [address, encodeAuthorization(authorization)]);
  return { ...decodeLiquidation(answer), blockNumber: toBigint(answer.block_number) };
}
