import { callRpc, type PrimeClient } from '../../client.ts';
import {
  decodeFills,
  decodeFunding,
  decodeLiquidations,
  decodeOrderHistory,
  decodeTransfers,
} from '../../decode/accountHistory.ts';
import { marketIdOf } from '../../decode/references.ts';
import type {
  AccountLiquidation,
  TransferEntry,
  EndedOrder,
  HistoryFill,
  HistoryPage,
  SettledFunding,
} from '../../types/accountHistory.ts';
import type { Address, Hex, MarketReference } from '../../types/primitives.ts';

/** Histories of accounts, from the newest entry backwards, page by page. */

/** Whose history it is, and which page of it. */
export interface GetTransfersParameters {
  readonly address: Address;
  /** Block times, both included, ms since 1970. */
  readonly fromTimeMs?: number | undefined;
  readonly toTimeMs?: number | undefined;
  /** At most so many, up to 1000. Default 100. */
  readonly limit?: number | undefined;
  /** The `next` of the page before. */
  readonly cursor?: Hex | null | undefined;
}
/** The same, of one market or of all. */
export interface GetFillsParameters extends GetTransfersParameters {
  /** The market, or its id. Default: all. */
  readonly market?: MarketReference | undefined;
}
/** As {@link GetFillsParameters}. */
export type GetOrderHistoryParameters = GetFillsParameters;
/** As {@link GetFillsParameters}. */
export type GetFundingParameters = GetFillsParameters;
/** As {@link GetFillsParameters}. */
export type GetLiquidationsParameters = GetFillsParameters;

/** One page, and the cursor of the next one. */
export type GetFillsReturnType = HistoryPage<HistoryFill>;
/** One page, and the cursor of the next one. */
export type GetOrderHistoryReturnType = HistoryPage<EndedOrder>;
/** One page, and the cursor of the next one. */
export type GetFundingReturnType = HistoryPage<SettledFunding>;
/** One page, and the cursor of the next one. */
export type GetTransfersReturnType = HistoryPage<TransferEntry>;
/** One page, and the cursor of the next one. */
export type GetLiquidationsReturnType = HistoryPage<AccountLiquidation>;

const pageOf = ({ fromTimeMs, toTimeMs, limit, cursor }: GetTransfersParameters) => ({
  ...(fromTimeMs === undefined ? {} : { from_time_ms: fromTimeMs }),
  ...(toTimeMs === undefined ? {} : { to_time_ms: toTimeMs }),
  ...(limit === undefined ? {} : { limit }),
  ...(cursor == null ? {} : { cursor }),
});

const marketPageOf = ({ market, ...parameters }: GetFillsParameters) => ({
  ...pageOf(parameters),
  ...(market === undefined ? {} : { market_id: marketIdOf(market) }),
});

/**
 * What changed positions of an account, the last first: its side of each trade, and deleveraging.
 *
 * @throws UnknownMarketError, InvalidParametersError for a cursor of something else, times in seconds, or a limit out of range
 */
export async function getFills(client: PrimeClient, parameters: GetFillsParameters): Promise<GetFillsReturnType> {
  return decodeFills(await callRpc(client, 'primeorders_getFills', [parameters.address, marketPageOf(parameters)]));
}

/**
 * Orders of an account that ended, the last first by when they did.
 *
 * @throws as `getFills`
 */
export async function getOrderHistory(
  client: PrimeClient,
  parameters: GetOrderHistoryParameters,
): Promise<GetOrderHistoryReturnType> {
  const page = marketPageOf(parameters);
  return decodeOrderHistory(await callRpc(client, 'primeorders_getOrderHistory', [parameters.address, page]));
}

/**
 * Funding of an account's positions that was settled, the last first. What is not settled yet is in `getAccount`.
 *
 * @throws as `getFills`
 */
export async function getFunding(client: PrimeClient, parameters: GetFundingParameters): Promise<GetFundingReturnType> {
  return decodeFunding(await callRpc(client, 'primeorders_getFunding', [parameters.address, marketPageOf(parameters)]));
}

/**
 * Wei that came to the collateral of an account or left it, the last first, trading aside.
 *
 * @throws InvalidParametersError for a cursor of something else, times in seconds, or a limit out of range
 */
export async function getTransfers(
  client: PrimeClient,
  parameters: GetTransfersParameters,
): Promise<GetTransfersReturnType> {
  return decodeTransfers(await callRpc(client, 'primeorders_getTransfers', [parameters.address, pageOf(parameters)]));
}

/**
 * What liquidations did to an account, the last first; their trades are in `getFills`, by the order id.
 *
 * @throws as `getFills`
 */
export async function getLiquidations(
  client: PrimeClient,
  parameters: GetLiquidationsParameters,
): Promise<GetLiquidationsReturnType> {
  const page = marketPageOf(parameters);
  return decodeLiquidations(await callRpc(client, 'primeorders_getLiquidations', [parameters.address, page]));
}
