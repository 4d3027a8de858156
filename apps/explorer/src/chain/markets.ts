import type { Market } from '@prime/sdk';
import { formatInteger } from '../kit/format.ts';
import { priceText, sizeText } from '../kit/marketFormat.ts';

/** Markets by id, as far as they are known. */
export type Markets = ReadonlyMap<number, Market>;

/** `ETH/USD`; the number of one that is not known. */
export const marketName = (markets: Markets, id: number): string => markets.get(id)?.symbol ?? `market ${id}`;

/** `2.5 ETH`; raw units of a market that is not known. */
export const sizeWords = (market: Market | undefined, size: bigint): string =>
  market === undefined ? `${formatInteger(size)} units` : `${sizeText(market, size).replace('-', '−')} ${market.base}`;

/** `3,012.55`; the raw price of a market that is not known. */
export const priceWords = (market: Market | undefined, price: bigint): string =>
  market === undefined ? formatInteger(price) : priceText(market, price);
