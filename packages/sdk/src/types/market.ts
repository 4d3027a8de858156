import type { MarketUnits } from '../units/marketUnits.ts';
import type { Price, Size, Wei } from './primitives.ts';

/** Fee rates in millionths of the notional; a negative maker rate is a rebate. */
export interface MarketFees {
  readonly takerPpm: number;
  readonly makerPpm: number;
}

/** Margin of the part of a position's notional that lies above `aboveNotional`. */
export interface RiskTier {
  readonly aboveNotional: Wei;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

/** Funding of a market, in 10^-9 wei for one base unit. */
export interface MarketFunding {
  /** What a long has paid since the market began. */
  readonly index: bigint;
  /** What a long paid in the latest interval; negative where it was paid. */
  readonly rate: bigint;
  /** Slow average of the mark, with which the mark is compared; null before there is one. */
  readonly reference: bigint | null;
}

/** A tradable pair: how it trades, where it stands, and its units. */
export interface Market extends MarketUnits {
  readonly marketId: number;
  /** BASE/QUOTE. */
  readonly symbol: string;
  /** First part of the symbol. */
  readonly base: string;
  /** Second part of the symbol. */
  readonly quote: string;
  /** One whole unit of the base is 10^baseDecimals base units. */
  readonly baseDecimals: number;
  /** One whole unit of the quote is 10^quoteDecimals wei. */
  readonly quoteDecimals: number;
  /** Least step of prices. */
  readonly tickSize: Price;
  /** Least step of sizes. */
  readonly lotSize: Size;
  readonly status: 'open' | 'closed';
  /** Of the latest trade; null before the first. */
  readonly lastPrice: Price | null;
  /** What margin is judged by; null before there is one. */
  readonly markPrice: Price | null;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
  /** Only on networks with fees. */
  readonly fees?: MarketFees | undefined;
  /** Only on networks with risk tiers. */
  readonly riskTiers?: readonly RiskTier[] | undefined;
  /** Only on networks with funding. */
  readonly funding?: MarketFunding | undefined;
}
