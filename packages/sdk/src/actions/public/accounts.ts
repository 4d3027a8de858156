import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeAccount, decodeAgent } from '../../decode/account.ts';
import { decodeAccountTransactions } from '../../decode/accountTransactions.ts';
import { decodeOpenOrder, decodeTrigger } from '../../decode/order.ts';
import { toBigint, toQuantity } from '../../decode/quantity.ts';
import type { Agent, InsolventAccount, MarginAccount, MarketDebt, SubAccount } from '../../types/account.ts';
import type { AccountTransactions, BlockPlace } from '../../types/accountTransaction.ts';
import type { OpenOrder, Trigger } from '../../types/order.ts';
import type { Address } from '../../types/primitives.ts';

/** Reads of accounts. */

/** Whose margin account it is. */
export interface GetAccountParameters {
  readonly address: Address;
}
/** Amounts in wei of the quote, sizes in base units. */
export type GetAccountReturnType = MarginAccount;

/**
 * Margin account of an address: collateral, equity, margin and positions, at the mark prices of the block to come.
 */
export async function getAccount(
  client: PrimeClient,
  { address }: GetAccountParameters,
): Promise<GetAccountReturnType> {
  return decodeAccount(await callRpc(client, 'primeorders_getAccount', [address]));
}

/** Whose history it is, and which page of it. */
export interface GetAccountTransactionsParameters {
  readonly address: Address;
  /** At most so many, up to 100; fewer where they are large. Default 25. */
  readonly limit?: number | undefined;
  /** Only what stands in front of this place: the `next` of the page before. */
  readonly before?: BlockPlace | null | undefined;
}
/** One page, and where the next one begins. */
export type GetAccountTransactionsReturnType = AccountTransactions;

/**
 * Transactions and signed actions that concern an account, the last first. What contracts did on the way is in traces and logs, not here.
 *
 * @throws InvalidParametersError, HistoryPrunedError where a block of the page is deleted meanwhile
 */
export async function getAccountTransactions(
  client: PrimeClient,
  { address, limit, before }: GetAccountTransactionsParameters,
): Promise<GetAccountTransactionsReturnType> {
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(before == null
      ? {}
      : {
          before: {
            block_number: toQuantity(before.blockNumber),
            transaction_index: toQuantity(before.transactionIndex),
          },
        }),
  };
  return decodeAccountTransactions(await callRpc(client, 'prime_getAccountTransactions', [address, page]));
}

/** The account that approved them. */
export interface GetAgentsParameters {
  readonly address: Address;
}
/** Revoked agents included: their keys can not be approved again. */
export type GetAgentsReturnType = readonly Agent[];

/**
 * The keys that may sign for an account, and those that it revoked, by address.
 */
export async function getAgents(client: PrimeClient, { address }: GetAgentsParameters): Promise<GetAgentsReturnType> {
  return (await callRpc(client, 'primeorders_getAgents', [address])).map(decodeAgent);
}

/** Who made them. */
export interface GetSubAccountsParameters {
  readonly owner: Address;
}
/** By index. */
export type GetSubAccountsReturnType = readonly SubAccount[];

/**
 * The sub-accounts that an owner made, by index.
 */
export async function getSubAccounts(
  client: PrimeClient,
  { owner }: GetSubAccountsParameters,
): Promise<GetSubAccountsReturnType> {
  return callRpc(client, 'primeorders_getSubAccounts', [owner]);
}

/** At most 1000. */
export type GetInsolventReturnType = readonly InsolventAccount[];

/**
 * The accounts that owe more than they have, those who owe most first.
 */
export async function getInsolvent(client: PrimeClient): Promise<GetInsolventReturnType> {
  return (await callRpc(client, 'primeorders_getInsolvent', undefined)).map(({ address, equity, collateral }) => ({
    address,
    equity: toBigint(equity),
    collateral: toBigint(collateral),
  }));
}

/** By market. */
export type GetMarketDebtsReturnType = readonly MarketDebt[];

/**
 * What markets owe because nobody paid a loss, and what they have to pay profits with, by market.
 */
export async function getMarketDebts(client: PrimeClient): Promise<GetMarketDebtsReturnType> {
  return (await callRpc(client, 'primeorders_getMarketDebts', undefined)).map(({ market_id, debt, profit_pool }) => ({
    marketId: market_id,
    debt: toBigint(debt),
    profitPool: toBigint(profit_pool),
  }));
}

/** Whose orders they are. */
export interface GetOpenOrdersParameters {
  readonly address: Address;
}
/** By order id, ascending. */
export type GetOpenOrdersReturnType = readonly OpenOrder[];

/**
 * The resting orders of an account in all markets, by order id. What waits for a mark is told by `getTriggers`.
 */
export async function getOpenOrders(
  client: PrimeClient,
  { address }: GetOpenOrdersParameters,
): Promise<GetOpenOrdersReturnType> {
  const open = await callRpc(client, 'primeorders_getOpenOrders', [address]);
  return open.filter(({ kind }) => kind === undefined).map(decodeOpenOrder);
}

/** Whose triggers they are. */
export interface GetTriggersParameters {
  readonly address: Address;
}
/** By order id, ascending. */
export type GetTriggersReturnType = readonly Trigger[];

/**
 * What of an account waits for the marks of markets, by order id.
 */
export async function getTriggers(
  client: PrimeClient,
  { address }: GetTriggersParameters,
): Promise<GetTriggersReturnType> {
  const open = await callRpc(client, 'primeorders_getOpenOrders', [address]);
  return open.filter(({ kind }) => kind !== undefined).map(decodeTrigger);
}

/** Whose margin is judged. */
export interface IsLiquidatableParameters {
  readonly address: Address;
}
/** As of the newest block; a price that moves can change it in the next one. */
export type IsLiquidatableReturnType = boolean;

/**
 * Whether the equity of an account is below its maintenance margin.
 */
export async function isLiquidatable(
  client: PrimeClient,
  { address }: IsLiquidatableParameters,
): Promise<IsLiquidatableReturnType> {
  return callRpc(client, 'primeorders_isLiquidatable', [address]);
}
