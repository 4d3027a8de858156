import type { DomainEventOf, Market } from '@prime/sdk';
import { chooseCollateral, type Desk, unitsOf } from '../desk.ts';
import { findEvents } from '../history.ts';
import { type CcxtMarket, type Limit, rowsDefault, type Since, type Structure } from '../library.ts';
import { parseCurrencies, parseMarket } from '../parse/market.ts';
import { parsePublicTrade, tradeContext } from '../parse/trade.ts';

/** What of the order book's parameters markets are described by, as it is now. */
interface Rules {
  readonly minNotional?: bigint;
  readonly funding?: { readonly intervalSeconds?: number };
}

const rulesOf = async (desk: Desk): Promise<Rules> => (await desk.reader.getParameters()).clob as Rules;

/** Seconds between two payments of funding; null on networks without. */
export async function fundingInterval(desk: Desk): Promise<number | null> {
  const { funding } = await rulesOf(desk);
  return funding?.intervalSeconds ?? null;
}

const collateralOfMarkets = (desk: Desk, markets: readonly Market[]) => {
  const first = markets.toSorted((a, b) => a.marketId - b.marketId)[0];
  const { exchange } = desk;
  return chooseCollateral(
    exchange,
    first === undefined ? null : { code: exchange.safeCurrencyCode(first.quote), decimals: first.quoteDecimals },
  );
};

/** Markets as ccxt describes them, from the node's markets and the parameters in force. */
export async function fetchMarkets(desk: Desk): Promise<Structure[]> {
  const [markets, { minNotional = null }] = await Promise.all([desk.reader.getMarkets(), rulesOf(desk)]);
  const collateral = collateralOfMarkets(desk, markets);
  return markets.map((market) => parseMarket(desk.exchange, market, { collateral, minNotional }));
}

/** Currencies by code: those that markets name, and the collateral. */
export async function fetchCurrencies(desk: Desk): Promise<Record<string, Structure>> {
  const markets = await desk.reader.getMarkets();
  return parseCurrencies(desk.exchange, markets, collateralOfMarkets(desk, markets));
}

type Level = readonly [number | undefined, number | undefined];
interface Levels {
  readonly bids: readonly { readonly price: bigint; readonly size: bigint }[];
  readonly asks: Levels['bids'];
}

/** Both sides of a book as ccxt has them, best first. */
export function parseLevels(
  desk: Desk,
  market: CcxtMarket,
  book: Levels,
  limit: Limit,
): { bids: Level[]; asks: Level[] } {
  const { formatPrice, formatSize } = unitsOf(market);
  const { exchange } = desk;
  const side = (levels: Levels['bids']): Level[] =>
    levels
      .slice(0, limit)
      .map(({ price, size }) => [exchange.parseNumber(formatPrice(price)), exchange.parseNumber(formatSize(size))]);
  return { bids: side(book.bids), asks: side(book.asks) };
}

/** The node tells the book of its newest block, and not which that is: there is no time and no number. The stream has both. */
export async function fetchOrderBook(desk: Desk, symbol: string, limit?: Limit): Promise<Structure> {
  const market = desk.exchange.market(symbol);
  const book = await desk.reader.getOrderBook({ market: unitsOf(market).marketId });
  const levels = parseLevels(desk, market, book, limit);
  return { symbol: market.symbol, ...levels, timestamp: undefined, datetime: undefined, nonce: undefined };
}

/** What a node keeps of trades at hand; older ones are read from the events of their blocks. */
const tradesMax = 1000;

/** Trades of a market, oldest first. What goes beyond the latest ones is found in the events of blocks. */
export async function fetchTrades(desk: Desk, symbol: string, since?: Since, limit?: Limit): Promise<Structure[]> {
  const market = desk.exchange.market(symbol);
  const { marketId } = unitsOf(market);
  const context = tradeContext(desk, market);
  if (since === undefined && (limit ?? rowsDefault) <= tradesMax) {
    const trades = await desk.reader.getTrades({ market: marketId, limit: limit ?? rowsDefault });
    return trades.map((trade) => parsePublicTrade(context, trade, trade.timeMs)).toReversed();
  }
  const isOfMarket = ({ data }: DomainEventOf<'trade'>): boolean => data.marketId === marketId;
  const wanted = limit ?? tradesMax;
  const events = await findEvents(desk, 'trade', since, (found) => found.filter(isOfMarket).length >= wanted);
  const parsed = events.filter(isOfMarket).map(({ data, timeMs }) => {
    const { fees: fee, ...trade } = data;
    return parsePublicTrade(context, { ...trade, fee }, timeMs);
  });
  return desk.exchange.filterBySinceLimit(parsed, since, wanted, 'timestamp', since === undefined);
}

/** Time of the newest block, ms. A chain without work makes none for a while. */
export async function fetchTime(desk: Desk): Promise<number | undefined> {
  return (await desk.reader.getNativeBlock({ block: 'latest' }))?.timestampMs;
}

/** `ok`, or `maintenance` while the node still syncs. */
export async function fetchStatus(desk: Desk): Promise<Structure> {
  const syncing = await desk.reader.request({ method: 'eth_syncing' });
  return {
    status: syncing === false ? 'ok' : 'maintenance',
    updated: undefined,
    eta: undefined,
    url: undefined,
    info: syncing,
  };
}

/** Fees are those of the market, the same for everybody. */
export const tradingFeeOf = ({ symbol, maker, taker, info }: CcxtMarket): Structure => ({
  info: info['fees'] ?? {},
  symbol,
  maker,
  taker,
  percentage: true,
  tierBased: false,
});
