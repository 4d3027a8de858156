import {
  type MarginParams,
  type MarketDecimals,
  type MarketFunding,
  marketSymbolPattern,
  type MarketStatus,
  type MarkParams,
  type RiskTier,
  symbolBytesMax,
} from '@prime/codec';
import { bigintMax, bigintMin, ceilDiv, floorDiv, type MarketId } from '@prime/primitives';
import type { AnyBook } from './book.ts';
import { buySide, type Quantity, type SideIndex, sellSide } from './orderPool.ts';

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
  /** Margin of larger positions, as the market was made. */
  readonly riskTiers: readonly RiskTier[] | undefined;
  /** Undefined before the first mark price, and where there is no funding. */
  funding: MarketFunding | undefined;
  /** Price of the latest trade. */
  lastPrice: bigint | null;
  /** Fixed during a block. */
  markPrice: bigint | null;
  /** Replaced when quantities outgrow its numbers. */
  book: AnyBook;
  readonly quick: QuickMarket;
  savedIn: number;
  touchedIn: number;
}

/** A market's numbers as floating ones, for one pricing. */
export interface QuickMarket {
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

export const createQuickMarket = (tickSize: bigint, lotSize: bigint): QuickMarket => ({
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

function bestPrice({ book, tickSize }: Market, side: SideIndex): bigint | null {
  const ticks = book.bestTicks(side);
  return ticks === undefined ? null : BigInt(ticks) * tickSize;
}

/**
 * Average price at which an order for that notional would fill against a side, rounded away from the spread; null when the side
 * does not hold as much. A small order far from the others does not move it.
 */
function impactPrice({ book, tickSize, lotSize }: Market, side: SideIndex, notional: bigint): bigint | null {
  const divide = side === buySide ? floorDiv : ceilDiv;
  let missing = notional;
  let size = 0n;
  let average: bigint | null = null;
  book.levels(side, (ticks, lots) => {
    const price = BigInt(ticks) * tickSize;
    const levelSize = BigInt(lots) * lotSize;
    if (price * levelSize >= missing) {
      average = divide(notional * price, size * price + missing);
      return false;
    }
    missing -= price * levelSize;
    size += levelSize;
    return true;
  });
  return average;
}

/** What the book and the last trade say at the end of a block, before it is smoothed. */
export function rawPriceOf(market: Market, { impactNotional }: MarkParams): bigint | null {
  const price = (side: SideIndex): bigint | null =>
    impactNotional === 0n ? bestPrice(market, side) : impactPrice(market, side, impactNotional);
  return rawMarkPrice(price(buySide), price(sellSide), market.lastPrice);
}

/** Mark price of the next block: a part of the way from this one's to the raw price, and no further than a block may go. */
export function nextMarkPrice(
  mark: bigint | null,
  raw: bigint | null,
  { emaWeight, maxMoveBps }: MarkParams,
): bigint | null {
  if (raw === null || mark === null) return raw;
  const next = emaWeight === 0 ? raw : mark + floorDiv((raw - mark) * BigInt(emaWeight), emaBase);
  if (maxMoveBps === 0) return next;
  const most = ceilDiv(mark * BigInt(maxMoveBps), 10_000n);
  return bigintMax(mark - most, bigintMin(mark + most, next));
}
const emaBase = 256n;

/**
 * Median of best bid, best ask and last price; with a side missing the one of the others that is harder to move.
 *
 * @see docs/protocol/clob.md, Mark price
 */
export function rawMarkPrice(bid: bigint | null, ask: bigint | null, last: bigint | null): bigint | null {
  if (last === null) return bid === null || ask === null ? null : floorDiv(bid + ask, 2n);
  if (bid === null) return ask === null ? last : bigintMin(last, ask);
  if (ask === null) return bigintMax(last, bid);
  // The book is not crossed, so bid < ask.
  return bigintMax(bid, bigintMin(ask, last));
}

/** Lots of a market's book in base units, in a number where it is exact. */
export function baseUnits({ quick, lotSize }: Market, lots: Quantity): number | bigint {
  const size = Number(lots) * quick.lot;
  return size <= Number.MAX_SAFE_INTEGER ? size : BigInt(lots) * lotSize;
}

/** A price of a market's book in wei, in a number where it is exact. */
export function priceOf({ quick, tickSize }: Market, ticks: Quantity): number | bigint {
  const price = Number(ticks) * quick.tick;
  return price <= Number.MAX_SAFE_INTEGER ? price : BigInt(ticks) * tickSize;
}

const symbolPattern = new RegExp(marketSymbolPattern);

/** BASE/QUOTE of letters, digits, dot, underscore and hyphen, at most 32 characters. */
export const isMarketSymbol = (symbol: string): boolean =>
  symbol.length <= symbolBytesMax && symbolPattern.test(symbol);
