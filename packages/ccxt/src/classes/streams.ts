import { hasOf } from '../describe.ts';
import { type Desk, wantedOf } from '../desk.ts';
import type { CcxtMarket, Limit, Params, RowsQuery, Since, Structure, Symbols } from '../library.ts';
import {
  bidsAsksKey,
  bookKey,
  candlesKey,
  tickersKey,
  toCcxtBook,
  tradesKey,
  type WatchedCandles,
  Watching,
} from '../pro/watching.ts';
import { candlePriceOf, intervalOf, type Ohlcv } from '../rest/candles.ts';
import { type Bound, type ClassOf, type PrimeBase, type PrimeRest, withMethods } from './base.ts';
import { restMethods } from './restMethods.ts';

const watchings = new WeakMap<Desk, Watching>();

function watchingOf(desk: Desk): Watching {
  const known = watchings.get(desk);
  if (known !== undefined) return known;
  const watching = new Watching(desk);
  watchings.set(desk, watching);
  return watching;
}

const unwatching =
  (key: string) =>
  async (desk: Desk): Promise<void> =>
    watchingOf(desk).unwatch(key);

/** Markets by symbol; all where none are named. */
function marketsBySymbol({ exchange }: Desk, symbols: Symbols): readonly CcxtMarket[] {
  const wanted = symbols ?? Object.keys(exchange.markets ?? {});
  return wanted.map((symbol) => exchange.market(symbol));
}

const candlesOf = (desk: Desk, symbol: string, timeframe: string, params: Params): WatchedCandles => ({
  market: desk.exchange.market(symbol),
  interval: intervalOf(desk, timeframe),
  price: candlePriceOf(desk, params),
});

/** Each call is settled by what comes next. */
export const proMethods = {
  watchOrderBook: async (desk: Desk, symbol: string, limit?: Limit): Promise<Structure> => {
    const market = desk.exchange.market(symbol);
    return toCcxtBook(desk, market, await watchingOf(desk).orderBook(market), limit);
  },
  watchTrades: async (desk: Desk, symbol: string, since?: Since, limit?: Limit): Promise<Structure[]> => {
    const { exchange } = desk;
    const trades = await watchingOf(desk).trades(exchange.market(symbol));
    return exchange.filterBySinceLimit(trades, since, limit, 'timestamp', true);
  },
  watchTicker: async (desk: Desk, symbol: string): Promise<Structure> => {
    const market = desk.exchange.market(symbol);
    return (await watchingOf(desk).tickers([market]))[market.symbol]!;
  },
  watchTickers: (desk: Desk, symbols?: Symbols): Promise<Readonly<Record<string, Structure>>> =>
    watchingOf(desk).tickers(marketsBySymbol(desk, symbols)),
  watchBidsAsks: (desk: Desk, symbols?: Symbols): Promise<Readonly<Record<string, Structure>>> =>
    watchingOf(desk).bidsAsks(marketsBySymbol(desk, symbols)),
  watchOHLCV: async (
    desk: Desk,
    symbol: string,
    timeframe = '1m',
    since?: Since,
    limit?: Limit,
    params: Params = {},
  ): Promise<readonly Ohlcv[]> => {
    const candles = candlesOf(desk, symbol, timeframe, params);
    for (;;) {
      const rows = await watchingOf(desk).candles(candles);
      const found = rows.filter(([beginMs]) => since === undefined || beginMs! >= since);
      if (found.length > 0) return limit === undefined ? found : found.slice(-limit);
    }
  },
  watchOrders: (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> =>
    ownItems(desk, () => watchingOf(desk).orders(), { symbol, since, limit }),
  watchMyTrades: (desk: Desk, symbol?: string, since?: Since, limit?: Limit): Promise<Structure[]> =>
    ownItems(desk, () => watchingOf(desk).myTrades(), { symbol, since, limit }),
  watchBalance: (desk: Desk): Promise<Structure> => watchingOf(desk).balance(),
  watchPositions: async (desk: Desk, symbols?: Symbols): Promise<Structure[]> => {
    const isWanted = wantedOf(desk, symbols);
    const positions = await watchingOf(desk).positions();
    return positions.filter(({ symbol }) => isWanted(symbol as string));
  },
  unWatchOrderBook: async (desk: Desk, symbol: string): Promise<void> =>
    watchingOf(desk).unwatch(bookKey(desk.exchange.market(symbol))),
  unWatchTrades: async (desk: Desk, symbol: string): Promise<void> =>
    watchingOf(desk).unwatch(tradesKey(desk.exchange.market(symbol))),
  unWatchTicker: async (desk: Desk, symbol: string): Promise<void> =>
    watchingOf(desk).unwatch(tickersKey([desk.exchange.market(symbol)])),
  unWatchTickers: async (desk: Desk, symbols?: Symbols): Promise<void> =>
    watchingOf(desk).unwatch(tickersKey(marketsBySymbol(desk, symbols))),
  unWatchBidsAsks: async (desk: Desk, symbols?: Symbols): Promise<void> =>
    watchingOf(desk).unwatch(bidsAsksKey(marketsBySymbol(desk, symbols))),
  unWatchOHLCV: async (desk: Desk, symbol: string, timeframe = '1m', params: Params = {}): Promise<void> =>
    watchingOf(desk).unwatch(candlesKey(candlesOf(desk, symbol, timeframe, params))),
  unWatchOrders: unwatching('orders'),
  unWatchMyTrades: unwatching('myTrades'),
  unWatchPositions: unwatching('positions'),
};

/** The class over HTTP with streams. */
export type PrimePro = PrimeRest & Bound<typeof proMethods>;

/** The class with streams, made of the REST class. */
export function withStreams(Base: ClassOf<PrimeRest>): ClassOf<PrimePro> {
  class Streaming extends (Base as ClassOf<PrimeBase>) {
    override describe(): Structure {
      const rest = super.describe();
      const has = hasOf(rest['has'] as Structure, [...restMethods, ...Object.keys(proMethods)], true);
      return this.deepExtend(rest, { pro: true, has });
    }

    override async close(cleanInstanceCache?: boolean): Promise<unknown> {
      // The base lets calls that were made before run on first; they begin to watch then, and end here.
      const closed = await super.close(cleanInstanceCache);
      const open = openDesks.get(this);
      if (open !== undefined) watchingOf(open).close();
      return closed;
    }

    override onDesk<result>(run: (desk: Desk) => Promise<result>): Promise<result> {
      return super.onDesk((desk) => {
        openDesks.set(this, desk);
        return run(desk);
      });
    }
  }
  return withMethods(Streaming as unknown as ClassOf<PrimeRest>, proMethods, 'onDesk');
}

/** Desks of instances that were used. */
const openDesks = new WeakMap<object, Desk>();

/** What a stream of the account tells of one market, or of all. What tells nothing of it is waited through. */
async function ownItems(
  { exchange }: Desk,
  next: () => Promise<readonly Structure[]>,
  { symbol, since, limit }: RowsQuery,
): Promise<Structure[]> {
  const wanted = symbol === undefined ? undefined : exchange.market(symbol).symbol;
  for (;;) {
    const own = (await next()).filter((item) => wanted === undefined || item['symbol'] === wanted);
    const found = exchange.filterBySinceLimit(own, since, limit, 'timestamp', true);
    if (found.length > 0) return found;
  }
}
