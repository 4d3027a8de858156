import type { RpcCandle, RpcMarketMid, RpcTicker } from '../generated/methods.ts';
import type { Candle, MarketMid, Ohlc, Ticker } from '../types/market.ts';
import { decodePriceLevel } from './order.ts';
import { toBigint, toBigintOrNull, toNumber, toNumberOrNull } from './quantity.ts';

const decodeOhlc = (wire: RpcCandle['mark']): Ohlc | null =>
  wire === null
    ? null
    : { open: toBigint(wire.open), high: toBigint(wire.high), low: toBigint(wire.low), close: toBigint(wire.close) };

/** From wire form: times in ms since 1970, prices and volumes in the smallest units. */
export const decodeCandle = (wire: RpcCandle): Candle => ({
  openTimeMs: toNumber(wire.open_time_ms),
  closeTimeMs: toNumber(wire.close_time_ms),
  open: toBigintOrNull(wire.open),
  high: toBigintOrNull(wire.high),
  low: toBigintOrNull(wire.low),
  close: toBigintOrNull(wire.close),
  volume: toBigint(wire.volume),
  quoteVolume: toBigint(wire.quote_volume),
  trades: toNumber(wire.trades),
  mark: decodeOhlc(wire.mark),
  index: decodeOhlc(wire.index),
});

/** From wire form; null where a side of the book is empty. */
export const decodeMid = (wire: RpcMarketMid): MarketMid => ({
  marketId: wire.market_id,
  midPrice: toBigintOrNull(wire.mid_price),
});

/** From wire form; null for prices that there are none of. */
export const decodeTicker = ({ day, funding, ...wire }: RpcTicker): Ticker => ({
  marketId: wire.market_id,
  symbol: wire.symbol,
  status: wire.status as Ticker['status'],
  lastPrice: toBigintOrNull(wire.last_price),
  markPrice: toBigintOrNull(wire.mark_price),
  indexPrice: toBigintOrNull(wire.index_price),
  staleSinceMs: toNumberOrNull(wire.stale_since_ms),
  fairPrice: toBigintOrNull(wire.fair_price),
  bestBid: wire.best_bid === null ? null : decodePriceLevel(wire.best_bid),
  bestAsk: wire.best_ask === null ? null : decodePriceLevel(wire.best_ask),
  openInterest: toBigint(wire.open_interest),
  day: {
    sinceMs: toNumber(day.since_ms),
    open: toBigintOrNull(day.open),
    high: toBigintOrNull(day.high),
    low: toBigintOrNull(day.low),
    close: toBigintOrNull(day.close),
    change: toBigintOrNull(day.change),
    changeBps: day.change_bps === null ? null : toNumber(day.change_bps),
    volume: toBigint(day.volume),
    quoteVolume: toBigint(day.quote_volume),
    trades: toNumber(day.trades),
  },
  ...(funding === undefined ? {} : { funding: { rate: toBigint(funding.rate), nextMs: toNumber(funding.next_ms) } }),
});
