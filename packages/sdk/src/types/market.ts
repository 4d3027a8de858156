import type { MarketUnits } from '../units/marketUnits.ts';
import type { PriceLevel } from './order.ts';
import type { Price, Size, Wei } from './primitives.ts';

/**
 * State of a market. `post_only`: orders that rest; `cancel_only`: only cancels; `halted`: nothing; `settling`: it is being closed;
 * `delisted`: it is over.
 */
export type MarketStatus = 'trading' | 'post_only' | 'cancel_only' | 'halted' | 'settling' | 'delisted';

/** Fee rates in millionths of the notional; a negative maker rate is a rebate. */
export interface MarketFees {
  readonly takerPpm: number;
  readonly makerPpm: number;
}

/** What orders of a market may at most lead to; 0 is no bound. */
export interface MarketLimits {
  /** What all longs may hold together. */
  readonly openInterestMax: Size;
  /** What an account may hold on one side, open orders of that side included. */
  readonly positionMax: Size;
  /** How far the limit of a buy may be above the mark, and that of a sell below it, hundredths of a percent. */
  readonly priceBandBps: number;
  /** Most price times size of an order, wei. */
  readonly orderNotionalMax: bigint;
}

/** Margin of the part of a position's notional that lies above `aboveNotional`. */
export interface RiskTier {
  readonly aboveNotional: Wei;
  readonly initialMarginBps: number;
  readonly maintenanceMarginBps: number;
}

/** Price of a market from outside, as validators report it. */
export interface MarketOracle {
  /** Null before the first. */
  readonly index: Price | null;
  /** By how much the book trades above the index on average; negative is below. */
  readonly premium: Price;
  /** Block time since which there is no fresh index, ms; null while it is fresh. Only orders that reduce a position are taken meanwhile. */
  readonly staleSinceMs: number | null;
  /** Block time until which only post-only orders are taken, ms; null: all are. */
  readonly resumesAtMs: number | null;
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

/** Lengths of candles. */
export type CandleInterval = '1s' | '1m' | '5m' | '15m' | '1h' | '4h' | '1d';

/** A price over a time. */
export interface Ohlc {
  /** What it was before the first block that changed anything. */
  readonly open: Price;
  readonly high: Price;
  readonly low: Price;
  readonly close: Price;
}

/** Trades, mark and index of a market from `openTimeMs` up to `closeTimeMs`, which belongs to the next one. */
export interface Candle {
  readonly openTimeMs: number;
  readonly closeTimeMs: number;
  /** Price of the first trade; null where nothing was traded, as the next three. */
  readonly open: Price | null;
  readonly high: Price | null;
  readonly low: Price | null;
  readonly close: Price | null;
  readonly volume: Size;
  readonly quoteVolume: Wei;
  readonly trades: number;
  /** null while the market has no mark price. */
  readonly mark: Ohlc | null;
  /** null without an oracle, and before its first price. */
  readonly index: Ohlc | null;
}

/** Trades of the last 24 hours; prices are null where there were none. */
export interface MarketDay {
  /** Where they begin; later than 24 hours ago on a node that has less of the past. */
  readonly sinceMs: number;
  readonly open: Price | null;
  readonly high: Price | null;
  readonly low: Price | null;
  readonly close: Price | null;
  /** From open to close. */
  readonly change: Price | null;
  /** The same in hundredths of a percent of the open, cut towards zero. */
  readonly changeBps: number | null;
  readonly volume: Size;
  readonly quoteVolume: Wei;
  readonly trades: number;
}

/** The middle between best bid and best ask, rounded down; null while a side of the book is empty. */
export interface MarketMid {
  readonly marketId: number;
  readonly midPrice: Price | null;
}

/** What a market does, in what traders look at first. */
export interface Ticker {
  readonly marketId: number;
  /** BASE/QUOTE. */
  readonly symbol: string;
  readonly status: MarketStatus;
  readonly lastPrice: Price | null;
  readonly markPrice: Price | null;
  /** Price from outside; null without an oracle, and before its first price. */
  readonly indexPrice: Price | null;
  /** Since when the index is stale, block time in ms: only orders that reduce a position are taken. Null while it is fresh. */
  readonly staleSinceMs: number | null;
  /** Index with the average premium of the book; null where there is no index. */
  readonly fairPrice: Price | null;
  readonly bestBid: PriceLevel | null;
  readonly bestAsk: PriceLevel | null;
  /** What longs hold. */
  readonly openInterest: Size;
  readonly day: MarketDay;
  /** Only on networks with funding: what a long paid in the latest interval, in 10^-9 wei for one base unit, and when this one ends. */
  readonly funding?: { readonly rate: bigint; readonly nextMs: number } | undefined;
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
  readonly status: MarketStatus;
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
  /** Only in markets that bound something. */
  readonly limits?: MarketLimits | undefined;
  /** Only on networks with funding. */
  readonly funding?: MarketFunding | undefined;
  /** Only of markets with prices from outside. */
  readonly oracle?: MarketOracle | undefined;
}
