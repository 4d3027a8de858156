import { callRpc, type PrimeClient } from '../../../client.ts';
import { decodeCandle } from '../../../decode/candle.ts';
import { marketIdOf } from '../../../decode/references.ts';
import type { Candle, CandleInterval } from '../../../types/market.ts';
import type { MarketReference } from '../../../types/primitives.ts';

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
/** Oldest first, without those in which nothing was traded. */
export type GetCandlesReturnType = readonly Candle[];

/**
 * Trades of a market by time, oldest first; an interval without a trade is left out. The last candle still grows.
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
