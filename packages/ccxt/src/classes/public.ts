import type { Limit, Params, Since, Structure, Symbols } from '../library.ts';
import * as markets from '../rest/markets.ts';
import type { ClassOf, PrimeBase } from './base.ts';

type Row = Promise<Structure>;
type Rows = Promise<Structure[]>;
type ByName = Promise<Record<string, Structure>>;

/** What anybody may ask: markets, books, trades. */
export interface PrimePublic extends PrimeBase {
  fetchMarkets(params?: Params): Rows;
  fetchCurrencies(params?: Params): ByName;
  fetchTime(params?: Params): Promise<number | undefined>;
  fetchStatus(params?: Params): Row;
  fetchOrderBook(symbol: string, limit?: Limit, params?: Params): Row;
  fetchTrades(symbol: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchTicker(symbol: string, params?: Params): Row;
  fetchTickers(symbols?: Symbols, params?: Params): ByName;
  fetchTradingFee(symbol: string, params?: Params): Row;
  fetchTradingFees(params?: Params): ByName;
}

/** Adds market data, which needs no key, to ccxt's base class. */
export function withPublic(Base: ClassOf<PrimeBase>): ClassOf<PrimePublic> {
  return class prime extends Base implements PrimePublic {
    fetchMarkets(): Rows {
      return this.bare(markets.fetchMarkets);
    }
    fetchCurrencies(): ByName {
      return this.bare(markets.fetchCurrencies);
    }
    fetchTime(): Promise<number | undefined> {
      return this.bare(markets.fetchTime);
    }
    fetchStatus(): Row {
      return this.bare(markets.fetchStatus);
    }
    fetchOrderBook(symbol: string, limit?: Limit): Row {
      return this.onDesk((desk) => markets.fetchOrderBook(desk, symbol, limit));
    }
    fetchTrades(symbol: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => markets.fetchTrades(desk, symbol, since, limit));
    }
    fetchTicker(symbol: string): Row {
      return this.onDesk((desk) => markets.fetchTicker(desk, symbol));
    }
    fetchTickers(symbols?: Symbols): ByName {
      return this.onDesk((desk) => markets.fetchTickers(desk, symbols));
    }
    fetchTradingFee(symbol: string): Row {
      return this.onDesk(async () => markets.tradingFeeOf(this.market(symbol)));
    }
    fetchTradingFees(): ByName {
      return this.onDesk(async () =>
        Object.fromEntries(
          Object.values(this.markets ?? {}).map((market) => [market.symbol, markets.tradingFeeOf(market)]),
        ),
      );
    }
  };
}
