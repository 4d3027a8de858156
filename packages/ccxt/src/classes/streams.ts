import { hasOf, proMethods, restMethods } from '../describe.ts';
import type { Desk } from '../desk.ts';
import type { Limit, Params, Since, Structure, Symbols } from '../library.ts';
import { bookKey, toCcxtBook, tradesKey, Watching } from '../pro/watching.ts';
import type { ClassOf } from './base.ts';
import type { PrimeRest } from './trading.ts';

type Rows = Promise<Structure[]>;

/** And over WebSocket: each call is settled by what comes next. */
export interface PrimePro extends PrimeRest {
  watchOrderBook(symbol: string, limit?: Limit, params?: Params): Promise<Structure>;
  watchTrades(symbol: string, since?: Since, limit?: Limit, params?: Params): Rows;
  watchOrders(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  watchMyTrades(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  watchBalance(params?: Params): Promise<Structure>;
  watchPositions(symbols?: Symbols, since?: Since, limit?: Limit, params?: Params): Rows;
  unWatchOrderBook(symbol: string, params?: Params): Promise<void>;
  unWatchTrades(symbol: string, params?: Params): Promise<void>;
  unWatchOrders(symbol?: string, params?: Params): Promise<void>;
  unWatchMyTrades(symbol?: string, params?: Params): Promise<void>;
  unWatchPositions(symbols?: Symbols, params?: Params): Promise<void>;
}

const watchings = new WeakMap<Desk, Watching>();

function watchingOf(desk: Desk): Watching {
  const known = watchings.get(desk);
  if (known !== undefined) return known;
  const watching = new Watching(desk);
  watchings.set(desk, watching);
  return watching;
}

/** The class with streams, made of the REST class. */
export function withStreams(Base: ClassOf<PrimeRest>): ClassOf<PrimePro> {
  return class prime extends Base implements PrimePro {
    override describe(): Structure {
      const rest = super.describe();
      const has = hasOf(rest['has'] as Structure, [...restMethods, ...proMethods], true);
      return this.deepExtend(rest, { pro: true, has });
    }

    watchOrderBook(symbol: string, limit?: Limit): Promise<Structure> {
      return this.onDesk(async (desk) => {
        const market = this.market(symbol);
        return toCcxtBook(desk, market, await watchingOf(desk).orderBook(market), limit);
      });
    }

    watchTrades(symbol: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk(async (desk) =>
        this.filterBySinceLimit(await watchingOf(desk).trades(this.market(symbol)), since, limit, 'timestamp', true),
      );
    }

    watchOrders(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => ownItems(desk, () => watchingOf(desk).orders(), { symbol, since, limit }));
    }

    watchMyTrades(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => ownItems(desk, () => watchingOf(desk).myTrades(), { symbol, since, limit }));
    }

    watchBalance(): Promise<Structure> {
      return this.onDesk((desk) => watchingOf(desk).balance());
    }

    watchPositions(symbols?: Symbols): Rows {
      return this.onDesk(async (desk) => {
        const wanted = symbols === undefined ? undefined : new Set(this.marketSymbols(symbols));
        const positions = await watchingOf(desk).positions();
        return positions.filter(({ symbol }) => wanted === undefined || wanted.has(symbol as string));
      });
    }

    unWatchOrderBook(symbol: string): Promise<void> {
      return this.onDesk(async (desk) => watchingOf(desk).unwatch(bookKey(this.market(symbol))));
    }

    unWatchTrades(symbol: string): Promise<void> {
      return this.onDesk(async (desk) => watchingOf(desk).unwatch(tradesKey(this.market(symbol))));
    }

    unWatchOrders(): Promise<void> {
      return this.onDesk(async (desk) => watchingOf(desk).unwatch('orders'));
    }

    unWatchMyTrades(): Promise<void> {
      return this.onDesk(async (desk) => watchingOf(desk).unwatch('myTrades'));
    }

    unWatchPositions(): Promise<void> {
      return this.onDesk(async (desk) => watchingOf(desk).unwatch('positions'));
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
  };
}

/** Desks of instances that were used. */
const openDesks = new WeakMap<object, Desk>();

interface Wanted {
  readonly symbol: string | undefined;
  readonly since: Since;
  readonly limit: Limit;
}

/** What a stream of the account tells of one market, or of all. What tells nothing of it is waited through. */
async function ownItems(
  { exchange }: Desk,
  next: () => Promise<readonly Structure[]>,
  { symbol, since, limit }: Wanted,
): Promise<Structure[]> {
  const wanted = symbol === undefined ? undefined : exchange.market(symbol).symbol;
  for (;;) {
    const own = (await next()).filter((item) => wanted === undefined || item['symbol'] === wanted);
    const found = exchange.filterBySinceLimit(own, since, limit, 'timestamp', true);
    if (found.length > 0) return found;
  }
}
