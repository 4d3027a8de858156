import type { Market } from '@prime/sdk';
import type { MarketWords } from '@prime/sdk/explain';
import { digitsOf, formatDecimal } from './format.ts';

/** Digits of a size that a list has room for. */
const sizeDigitsMax = 4;

/** A price with as many digits as the tick has. */
export const priceText = (market: Market, price: bigint): string =>
  formatDecimal(market.formatPrice(price), { digits: digitsOf(market.formatPrice(market.tickSize)) });

/** A size with the same number of digits for every size of the market; `<0.0001` for one that would look like nothing. */
export function sizeText(market: Market, size: bigint): string {
  const digits = Math.min(sizeDigitsMax, digitsOf(market.formatSize(market.lotSize)));
  const text = formatDecimal(market.formatSize(size), { digits, digitsMax: digits });
  return size !== 0n && /^-?[0.]+$/.test(text) ? `<${(10 ** -digits).toFixed(digits)}` : text;
}

/** A market for sentences of the SDK, with the digits that this page has. */
export const marketWords = (market: Market): MarketWords => ({
  symbol: market.symbol,
  base: market.base,
  formatPrice: (price) => priceText(market, price),
  formatSize: (size) => sizeText(market, size),
});
