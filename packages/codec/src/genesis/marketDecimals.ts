import { integer } from '../encoding/fieldCodecs.ts';

/**
 * How people write the amounts of a market. Declared with the market and part of its record, so that all clients show the same numbers;
 * matching, margin and fees never read it.
 */
export interface MarketDecimals {
  /** One whole unit of the base is 10^baseDecimals base units. */
  readonly baseDecimals: number;
  /** One whole unit of the quote is 10^quoteDecimals wei. */
  readonly quoteDecimals: number;
}

/** A whole unit is still a possible size: 10^36 is below 2^128. */
export const marketDecimalsMax = 36;

const decimals = integer(0, marketDecimalsMax);
/** In actions, genesis, events and records, in this order. */
export const marketDecimalsFields = { baseDecimals: decimals, quoteDecimals: decimals } as const;

/** Of a market that is declared without: a base unit is whole, and the quote is the chain's coin of 10^18 wei. */
export const defaultMarketDecimals: MarketDecimals = { baseDecimals: 0, quoteDecimals: 18 };
