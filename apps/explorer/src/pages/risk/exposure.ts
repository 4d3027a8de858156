import type { Ticker } from '@prime/sdk';

/** What longs hold at the mark, wei; null where there is no mark. */
export const exposureOf = ({ markPrice, openInterest }: Pick<Ticker, 'markPrice' | 'openInterest'>): bigint | null =>
  openInterest === 0n ? 0n : markPrice === null ? null : markPrice * openInterest;

/** All markets together. */
export const totalExposure = (tickers: readonly Ticker[]): bigint =>
  tickers.reduce((sum, ticker) => sum + (exposureOf(ticker) ?? 0n), 0n);
