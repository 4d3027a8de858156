import {
  type MarginParams,
  type MarketDecimals,
  type MarketFunding,
  type MarketLimits,
  type MarketOracle,
  type MarketStatus,
  marketSymbolPattern,
  type RiskTier,
  symbolBytesMax,
} from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import type { AnyBook } from '../book/book.ts';
import type { Quantity } from '../book/quantity.ts';
import { createOrderBounds, type OrderBounds } from './orderBounds.ts';
import { ClaimSum } from '../book/claimSum.ts';
import { OpenInterest } from './openInterest.ts';

/** Its decimals are for people: nothing here reads them. */
export interface Market extends MarketDecimals {
  readonly id: MarketId;
  readonly symbol: string;
  /** Wei per base unit. */
  readonly tickSize: bigint;
  /** Base units. */
  readonly lotSize: bigint;
  status: MarketStatus;
  /** Blocks with trades, counted up to the number that liquidations ask for. */
  tradeBlocks: number;
  /** Height of the latest block with a trade that this process executed. Not in the record: only the current block asks. */
  tradedAt: number;
  /** Null: the default of all markets. */
  margin: MarginParams | null;
  /** Margin of larger positions. */
  riskTiers: readonly RiskTier[] | undefined;
  /** Bounds of orders. */
  limits: MarketLimits | undefined;
  /** Undefined before the first mark price, and where there is no funding. */
  funding: MarketFunding | undefined;
  /** Undefined where no price comes from outside. */
  oracle: MarketOracle | undefined;
  /** Price of the latest trade. */
  lastPrice: bigint | null;
  /** Losses that were paid in and no profit took out yet, wei; see claims.ts. */
  profitPool: bigint;
  /** Losses that nobody paid, wei. */
  debt: bigint;
  /** Fixed during a block. */
  markPrice: bigint | null;
  /** Replaced when quantities outgrow its numbers. */
  book: AnyBook;
  readonly floats: MarketFloats;
  /** Made of the limits, and replaced with them. */
  bounds: OrderBounds;
  readonly openInterest: OpenInterest;
  readonly claims: ClaimSum;
  savedIn: number;
  touchedIn: number;
}

/** A market's numbers as floating ones, for one pricing. */
export interface MarketFloats {
  readonly tick: number;
  readonly lot: number;
  /** 0 before the first. */
  pricing: number;
  mark: number;
  /** Initial margin as a part of notional. */
  rate: number;
  /** The larger fee as a part of notional. */
  feeRate: number;
  /** A maker's fee as a part of notional; 0 for a rebate. */
  makerFeeRate: number;
}

/** What no record of a market holds. */
export const derivedOf = ({
  tickSize,
  lotSize,
  limits,
}: Pick<Market, 'tickSize' | 'lotSize' | 'limits'>): Pick<Market, 'floats' | 'bounds' | 'openInterest' | 'claims'> => ({
  floats: createMarketFloats(tickSize, lotSize),
  bounds: createOrderBounds({ tickSize, lotSize, limits }),
  openInterest: new OpenInterest(lotSize),
  claims: new ClaimSum(),
});

/** Numbers of a market before its first pricing. @param tickSize wei per base unit @param lotSize base units */
const createMarketFloats = (tickSize: bigint, lotSize: bigint): MarketFloats => ({
  tick: Number(tickSize),
  lot: Number(lotSize),
  pricing: 0,
  mark: 0,
  rate: 0,
  feeRate: 0,
  makerFeeRate: 0,
});

/** {@link Market.tradedAt} of a market without trades; genesis is executed at height 0. */
export const neverTraded = -1;

/** Price that margin is computed at: mark, else last, else none. */
export const marginPrice = ({ markPrice, lastPrice }: Market): bigint | null => markPrice ?? lastPrice;

/** What decides whether a market's price is fit to take somebody's position. */
type PriceSource = Pick<Market, 'tradeBlocks' | 'oracle' | 'status'>;

/**
 * Whether positions in a market count when an account is judged for liquidation: its index is fresh and trading goes on; without an oracle it
 * trades, and has done so often enough.
 *
 * @param minTrades blocks with trades
 */
export const isPriceFit = ({ tradeBlocks, oracle, status }: PriceSource, minTrades: number): boolean =>
  gateOf({ oracle, status }) === 'open' && (oracle !== undefined || tradeBlocks >= minTrades);

/** Which orders a market takes: all, only those that make a position smaller, only those that rest, or none. */
export type Gate = 'open' | 'reduceOnly' | 'postOnly' | 'shut';

/** By its state, then by its oracle. */
export function gateOf({ oracle, status }: Pick<Market, 'oracle' | 'status'>): Gate {
  if (status !== 'trading') return status === 'post_only' ? 'postOnly' : 'shut';
  if (oracle === undefined) return 'open';
  if (oracle.staleSinceMs !== null) return 'reduceOnly';
  return oracle.resumesAtMs === 0 ? 'open' : 'postOnly';
}

/** Whether a market is over: nothing of it changes but by its settlement. */
export const isOver = ({ status }: Pick<Market, 'status'>): boolean => status === 'settling' || status === 'delisted';

/** Index of a market's funding up to which positions are settled; 0 where there is none. */
export const fundingIndexOf = ({ funding }: { readonly funding?: MarketFunding | undefined }): bigint =>
  funding === undefined ? 0n : funding.index;

/** Margin that a market asks for. */
export interface MarginRates extends MarginParams {
  /** Of larger positions. */
  readonly riskTiers?: readonly RiskTier[] | undefined;
}

/** What margin asks of a market. */
export interface MarginMarket {
  /** Mark price, else last price, else null. Wei per base unit. */
  readonly price: bigint | null;
  readonly params: MarginRates;
  /** See funding.ts; 0 where there is none. */
  readonly fundingIndex: bigint;
  /** Whether positions in it count when an account is judged for liquidation. */
  readonly liquidates: boolean;
  /** What it can pay of profits, wei. */
  readonly profitPool: bigint;
}

/** Wei of one lot at a price; exact where the notional is. */
export const weiOfLot = ({ floats }: Market, ticks: number): number => floats.lot * floats.tick * ticks;

/** Lots of a market's book in base units, in a number where it is exact. */
export function baseUnits({ floats, lotSize }: Market, lots: Quantity): number | bigint {
  const size = Number(lots) * floats.lot;
  return size <= Number.MAX_SAFE_INTEGER ? size : BigInt(lots) * lotSize;
}

/** A price of a market's book in wei, in a number where it is exact. */
export function priceOf({ floats, tickSize }: Market, ticks: Quantity): number | bigint {
  const price = Number(ticks) * floats.tick;
  return price <= Number.MAX_SAFE_INTEGER ? price : BigInt(ticks) * tickSize;
}

const symbolPattern = new RegExp(marketSymbolPattern);

/** BASE/QUOTE of letters, digits, dot, underscore and hyphen, at most 32 characters. */
export const isMarketSymbol = (symbol: string): boolean =>
  symbol.length <= symbolBytesMax && symbolPattern.test(symbol);
