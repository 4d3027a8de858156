import { callRpc, type PrimeClient } from '../../client.ts';
import { decodeCandle, decodeMid, decodeTicker } from '../../decode/candle.ts';
import { decodeMarket } from '../../decode/market.ts';
import { decodeOrder, decodeOrderBook, decodeTrade } from '../../decode/order.ts';
import { toBigint, toNumber, toQuantity } from '../../decode/quantity.ts';
import { marketIdOf } from '../../decode/references.ts';
import { MarketNotFoundError } from '../../errors/own.ts';
import type { Candle, CandleInterval, Market, MarketMid, Ticker } from '../../types/market.ts';
import type { Order, OrderBook, Trade } from '../../types/order.ts';
import type { Address, Hex, MarketReference } from '../../types/primitives.ts';

/** Reads of markets and their orders. */

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

/** By id, or by the owner's own name for it. */
export type GetOrderParameters =
  | { readonly orderId: number; readonly owner?: undefined; readonly clientId?: undefined }
  | { readonly owner: Address; readonly clientId: Hex; readonly orderId?: undefined };
/** Null for an order that never was. */
export type GetOrderReturnType = Order | null;

/**
 * An order wherever it stands, or how it ended; null for one that never was. Of several with one client id: the live one, else the latest.
 *
 * @throws HistoryPrunedError where the node has deleted the blocks in which it may have ended
 */
export async function getOrder(client: PrimeClient, parameters: GetOrderParameters): Promise<GetOrderReturnType> {
  const key =
    parameters.orderId === undefined
      ? { owner: parameters.owner, client_id: parameters.clientId }
      : toQuantity(parameters.orderId);
  const order = await callRpc(client, 'primeorders_getOrder', [key]);
  return order === null ? null : decodeOrder(order);
}

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

/** By market id. */
export type GetMidsReturnType = readonly MarketMid[];

/** The middle between best bid and best ask of every market, by id, in one answer. */
export async function getMids(client: PrimeClient): Promise<GetMidsReturnType> {
  return (await callRpc(client, 'primeorders_getMids', undefined)).map(decodeMid);
}

/** A market, and how many of its trades. */
export interface GetTradesParameters {
  /** The market, or its id. */
  readonly market: MarketReference;
  /** At most 1000. Default 100. */
  readonly limit?: number | undefined;
}
/** Newest first, each with the block that it stands in. */
export type GetTradesReturnType = readonly (Trade & { readonly blockNumber: bigint; readonly timeMs: number })[];

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
  return trades.map((trade) => ({
    ...decodeTrade(trade),
    blockNumber: toBigint(trade.block_number),
    timeMs: toNumber(trade.time_ms),
  }));
}

/** A market, the width of a candle, and a range of time. */
export interface GetCandlesParameters {
  /** The market, or its id. */
  readonly market: MarketReference;
  readonly interval: CandleInterval;
  /** The candle that holds this time is the first; without it what is not kept is left out. */
  readonly fromTimeMs?: number | undefined;
  /** The candle that holds this time is the last. Default: the time of the newest block. */
  readonly toTimeMs?: number | undefined;
  /** The newest so many intervals, at most 1000. Default 500. */
  readonly limit?: number | undefined;
}
/** Oldest first, without those in which nothing was traded and no price moved. */
export type GetCandlesReturnType = readonly Candle[];

/**
 * Trades, mark and index of a market by time, oldest first. An interval in which nothing was traded and no price moved is left out. The last candle still
 * grows.
 *
 * @throws UnknownMarketError, InvalidParametersError, HistoryPrunedError for a `fromTimeMs` before what the node keeps
 */
export async function getCandles(
  client: PrimeClient,
  { market, interval, fromTimeMs, toTimeMs, limit }: GetCandlesParameters,
): Promise<GetCandlesReturnType> {
  const range = {
    ...(fromTimeMs === undefined ? {} : { from_time_ms: fromTimeMs }),
    ...(toTimeMs === undefined ? {} : { to_time_ms: toTimeMs }),
    ...(limit === undefined ? {} : { limit }),
  };
  return (await callRpc(client, 'primeorders_getCandles', [marketIdOf(market), interval, range])).map(decodeCandle);
}
