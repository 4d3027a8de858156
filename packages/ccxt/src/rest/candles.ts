import { type Candle, type CandleInterval, candleIntervalMs, HistoryPrunedError } from '@prime/sdk';
import { type Desk, fail, numberParameter, textParameter, unitsOf } from '../desk.ts';
import type { CcxtMarket, Limit, Params, Since } from '../library.ts';

/** A candle of ccxt: begin in ms, open, high, low, close, and the base that was traded; undefined where the prices are none of trades. */
export type Ohlcv = readonly (number | undefined)[];

/** Lengths of candles by ccxt's names, which are the chain's. */
export const timeframes: Readonly<Record<string, string>> = Object.fromEntries(
  Object.keys(candleIntervalMs).map((name) => [name, name]),
);

/** Prices that candles may be made of. */
export type CandlePrice = 'trades' | 'mark' | 'index';

/** @throws BadRequest for what is no length of candles */
export function intervalOf(desk: Desk, timeframe: string): CandleInterval {
  if (Object.hasOwn(candleIntervalMs, timeframe)) return timeframe as CandleInterval;
  return fail(desk, 'BadRequest', `has candles of ${Object.keys(timeframes).join(', ')}, not ${timeframe}`);
}

/** What `params.price` asks for. @throws NotSupported for prices that the chain has not */
export function candlePriceOf(desk: Desk, params: Params): CandlePrice {
  const price = textParameter(desk, params, 'price');
  if (price === undefined) return 'trades';
  if (price === 'mark' || price === 'index') return price;
  return fail(desk, 'NotSupported', `has candles of trades, mark and index, not of ${price}`);
}

/** A candle of one of the three prices; null where that had none. */
export function parseCandle({ exchange }: Desk, market: CcxtMarket, candle: Candle, price: CandlePrice): Ohlcv | null {
  const { formatPrice, formatSize } = unitsOf(market);
  const { open, high, low, close } = (price === 'trades' ? candle : candle[price]) ?? { open: null };
  if (open === null) return null;
  const number = (value: bigint): number | undefined => exchange.parseNumber(formatPrice(value));
  const volume = price === 'trades' ? exchange.parseNumber(formatSize(candle.volume)) : undefined;
  return [candle.openTimeMs, number(open), number(high!), number(low!), number(close!), volume];
}

/** Most intervals that a node answers at once. */
const intervalsMax = 1000;
/** Intervals that are looked at where nobody says how many. */
const intervalsDefault = 500;

/**
 * Candles of trades, or with `params.price` of mark or index: `limit` intervals from `since` on, else up to `params.until`, else the newest. Intervals without
 * such a price are left out, and the last candle still grows. Where the node keeps none of `since` any more it begins with the oldest that it has.
 */
export async function fetchOHLCV(
  desk: Desk,
  symbol: string,
  timeframe = '1m',
  since?: Since,
  limit?: Limit,
  params: Params = {},
): Promise<readonly Ohlcv[]> {
  const market = desk.exchange.market(symbol);
  const interval = intervalOf(desk, timeframe);
  const price = candlePriceOf(desk, params);
  const count = Math.min(limit ?? intervalsDefault, intervalsMax);
  const until = numberParameter(desk, params, 'until');
  const read = (fromTimeMs: Since): Promise<readonly Candle[]> => {
    const last = fromTimeMs === undefined ? undefined : fromTimeMs + (count - 1) * candleIntervalMs[interval];
    const toTimeMs = last === undefined ? until : Math.min(last, until ?? last);
    if (fromTimeMs !== undefined && toTimeMs! < fromTimeMs) return Promise.resolve([]);
    return desk.reader.getCandles({ market: unitsOf(market).marketId, interval, fromTimeMs, toTimeMs, limit: count });
  };
  const candles = await read(beginSince(interval, since)).catch((thrown: unknown) => {
    if (!(thrown instanceof HistoryPrunedError) || thrown.oldestMs === null) throw thrown;
    return read(thrown.oldestMs);
  });
  return candles.map((candle) => parseCandle(desk, market, candle, price)).filter((candle) => candle !== null);
}

/** Begin of the first candle that begins at a time or behind it, ms. */
function beginSince(interval: CandleInterval, since: Since): Since {
  const lengthMs = candleIntervalMs[interval];
  return since === undefined ? undefined : Math.ceil(since / lengthMs) * lengthMs;
}
