import type { Limit, Num, Params, Since, Structure, Symbols } from '../library.ts';
import * as account from '../rest/account.ts';
import * as funding from '../rest/funding.ts';
import type { ClassOf } from './base.ts';
import type { PrimePublic } from './public.ts';

type Row = Promise<Structure>;
type Rows = Promise<Structure[]>;
type ByName = Promise<Record<string, Structure>>;

/** Collateral, positions and funding. */
export interface PrimeAccount extends PrimePublic {
  fetchFundingRate(symbol: string, params?: Params): Row;
  fetchFundingRates(symbols?: Symbols, params?: Params): ByName;
  fetchFundingRateHistory(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchFundingHistory(symbol?: string, since?: Since, limit?: Limit, params?: Params): Rows;
  fetchBalance(params?: Params): Row;
  fetchPositions(symbols?: Symbols, params?: Params): Rows;
  fetchPosition(symbol: string, params?: Params): Promise<Structure | undefined>;
  fetchDepositAddress(code: string, params?: Params): Row;
  transfer(code: string, amount: Num, fromAccount: string, toAccount: string, params?: Params): Row;
  withdraw(code: string, amount: Num, address: string, tag?: string, params?: Params): Row;
}

/** Adds what is read of one account, and funding, to the class with market data. */
export function withAccount(Base: ClassOf<PrimePublic>): ClassOf<PrimeAccount> {
  return class prime extends Base implements PrimeAccount {
    fetchFundingRate(symbol: string): Row {
      return this.onDesk((desk) => funding.fetchFundingRate(desk, symbol));
    }
    fetchFundingRates(symbols?: Symbols): ByName {
      return this.onDesk((desk) => funding.fetchFundingRates(desk, symbols));
    }
    fetchFundingRateHistory(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => funding.fetchFundingRateHistory(desk, { symbol, since, limit }));
    }
    fetchFundingHistory(symbol?: string, since?: Since, limit?: Limit): Rows {
      return this.onDesk((desk) => funding.fetchFundingHistory(desk, { symbol, since, limit }));
    }
    fetchBalance(params: Params = {}): Row {
      return this.onDesk((desk) => account.fetchBalance(desk, params));
    }
    fetchPositions(symbols?: Symbols): Rows {
      return this.onDesk((desk) => account.fetchPositions(desk, symbols));
    }
    fetchPosition(symbol: string): Promise<Structure | undefined> {
      return this.onDesk(async (desk) => (await account.fetchPositions(desk, [symbol]))[0]);
    }
    fetchDepositAddress(code: string): Row {
      return this.onDesk((desk) => account.fetchDepositAddress(desk, code));
    }
    transfer(code: string, amount: Num, fromAccount: string, toAccount: string): Row {
      return this.onDesk((desk) => account.transfer(desk, code, amount, fromAccount, toAccount));
    }
    withdraw(code: string, amount: Num, address: string): Row {
      return this.onDesk((desk) => account.withdraw(desk, code, amount, address));
    }
  };
}
