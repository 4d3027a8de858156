import type { Ticker } from '@prime/sdk';
import { type Desk, fail, marketOfId, unitsOf, wantedOf } from '../desk.ts';
import type { CcxtMarket, Structure, Symbols } from '../library.ts';
import { parseBest, parseTicker } from '../parse/ticker.ts';
import { plain } from '../plain.ts';
import { fetchTime } from './markets.ts';

/** What markets do now: one question for all of them. */

type Describe = (market: CcxtMarket, ticker: Ticker, time: number | undefined) => Structure;

/** Structures by symbol, at the time of the newest block. */
async function bySymbol(desk: Desk, symbols: Symbols, describe: Describe): Promise<Record<string, Structure>> {
  const isWanted = wantedOf(desk, symbols);
  const [tickers, time] = await Promise.all([desk.reader.getTickers(), fetchTime(desk)]);
  const found: [string, Structure][] = [];
  for (const ticker of tickers) {
    const market = await marketOfId(desk, ticker.marketId);
    if (isWanted(market.symbol)) found.push([market.symbol, describe(market, ticker, time)]);
  }
  return Object.fromEntries(found);
}

/** Tickers by symbol. */
export const fetchTickers = (desk: Desk, symbols?: Symbols): Promise<Record<string, Structure>> =>
  bySymbol(desk, symbols, (market, ticker, time) => parseTicker(desk.exchange, market, ticker, time));

/**
 * Ticker of one market.
 *
 * @throws ccxt's `BadSymbol`
 */
export async function fetchTicker(desk: Desk, symbol: string): Promise<Structure> {
  const market = desk.exchange.market(symbol);
  const found = (await fetchTickers(desk, [market.symbol]))[market.symbol];
  return found ?? fail(desk, 'BadSymbol', `has no market ${symbol}`);
}

/** Best bid and best ask by symbol. */
export const fetchBidsAsks = (desk: Desk, symbols?: Symbols): Promise<Record<string, Structure>> =>
  bySymbol(desk, symbols, (market, { bestBid, bestAsk }, time) =>
    parseBest(desk.exchange, market, { bid: bestBid, ask: bestAsk }, time),
  );

/** Prices of the latest trades by symbol. */
export const fetchLastPrices = (desk: Desk, symbols?: Symbols): Promise<Record<string, Structure>> =>
  bySymbol(desk, symbols, (market, ticker) => ({
    symbol: market.symbol,
    timestamp: undefined,
    datetime: undefined,
    price:
      ticker.lastPrice === null ? undefined : desk.exchange.parseNumber(unitsOf(market).formatPrice(ticker.lastPrice)),
    side: undefined,
    info: plain(ticker),
  }));

/** What longs hold, by symbol: in the base, and at the mark in the quote. */
export const fetchOpenInterests = (desk: Desk, symbols?: Symbols): Promise<Record<string, Structure>> =>
  bySymbol(desk, symbols, (market, ticker, time) => {
    const { formatSize, formatQuoteAmount } = unitsOf(market);
    const { openInterest, markPrice } = ticker;
    return desk.exchange.safeOpenInterest(
      {
        symbol: market.symbol,
        openInterestAmount: formatSize(openInterest),
        openInterestValue: markPrice === null ? undefined : formatQuoteAmount(openInterest * markPrice),
        timestamp: time,
        datetime: desk.exchange.iso8601(time),
        info: plain(ticker),
      },
      market,
    );
  });
