import type { MarkParams } from '@prime/codec';
import { bigintAbs, bigintMax, bigintMin, ceilDiv, floorDiv } from '@prime/primitives';
import { changeMarket, moveMarks, reprice } from '../state/changes.ts';
import { countFunding } from './funding.ts';
import { setOracle } from '../oracle/indexPrices.ts';
import { isOver, type Market } from '../state/markets.ts';
import { buySide, sellSide, type SideIndex } from '../book/orderPool.ts';
import type { ClobState } from '../state/state.ts';

/** Mark prices: what the book says at the end of a block, and how far the mark follows it. */

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
export const rawPriceOf = (market: Market, params: MarkParams): bigint | null => bookPricesOf(market, params).raw;

/** The same, and the middle of both sides; null when one is empty. */
function bookPricesOf(
  market: Market,
  { impactNotional }: MarkParams,
): { readonly raw: bigint | null; readonly mid: bigint | null } {
  const price = (side: SideIndex): bigint | null =>
    impactNotional === 0n ? bestPrice(market, side) : impactPrice(market, side, impactNotional);
  const [bid, ask] = [price(buySide), price(sellSide)];
  return {
    raw: rawMarkPrice(bid, ask, market.lastPrice),
    mid: bid === null || ask === null ? null : middleOf(bid, ask),
  };
}

/** Rounded down. */
const middleOf = (bid: bigint, ask: bigint): bigint => floorDiv(bid + ask, 2n);

/** Mark price of the next block: a part of the way from this one's to the raw price, and no further than a block may go. */
export function nextMarkPrice(
  mark: bigint | null,
  raw: bigint | null,
  { emaWeight, maxMoveBps }: MarkParams,
): bigint | null {
  if (raw === null || mark === null) return raw;
  return moved(mark, emaWeight === 0 ? raw : mark + floorDiv((raw - mark) * BigInt(emaWeight), emaBase), maxMoveBps);
}
const emaBase = 256n;

/** A mark on its way to a price, no further than a block may go. */
function moved(mark: bigint, price: bigint, maxMoveBps: number): bigint {
  if (maxMoveBps === 0) return price;
  const most = ceilDiv(mark * BigInt(maxMoveBps), 10_000n);
  return bigintMax(mark - most, bigintMin(mark + most, price));
}

/**
 * Median of best bid, best ask and last price; with a side missing the one of the others that is harder to move.
 *
 * @see docs/protocol/clob.md, Mark price
 */
export function rawMarkPrice(bid: bigint | null, ask: bigint | null, last: bigint | null): bigint | null {
  if (last === null) return bid === null || ask === null ? null : middleOf(bid, ask);
  if (bid === null) return ask === null ? last : bigintMin(last, ask);
  if (ask === null) return bigintMax(last, bid);
  // The book is not crossed, so bid < ask.
  return bigintMax(bid, bigintMin(ask, last));
}

/**
 * Mark prices of the next block, for the markets whose book, last price or index may have moved, and for those whose mark was still on its
 * way. @returns the markets that are on their way now
 */
export function updateMarks(state: ClobState): Market[] {
  const { mark: params } = state.params;
  const moving: Market[] = [];
  let most = 0;
  for (const market of new Set([...state.dirtyMarkets, ...state.movingMarkets])) {
    if (state.market(market.id) !== market || isOver(market)) continue;
    if (market.tradedAt === state.height && market.tradeBlocks < params.minTrades)
      changeMarket(state, market).tradeBlocks++;
    const { mark, isMoving } = market.oracle === undefined ? bookMark(state, market) : indexMark(state, market);
    if (isMoving) moving.push(market);
    const { markPrice: before } = market;
    if (mark === before) continue;
    countFunding(state, market);
    changeMarket(state, market).markPrice = mark;
    if (mark === null || before === null) reprice(state);
    else most = Math.max(most, Number(bigintAbs(mark - before)) / Number(before));
  }
  if (most > 0) moveMarks(state, most);
  return moving;
}

/** A mark of the next block, and whether it is still on its way with the book as it is. */
interface NextMark {
  readonly mark: bigint | null;
  readonly isMoving: boolean;
}

/** Of a market without oracle. */
function bookMark(state: ClobState, market: Market): NextMark {
  const { mark: params } = state.params;
  const told = state.sharing?.rawPrices.get(market);
  const raw = told === undefined ? rawPriceOf(market, params) : told;
  const mark = nextMarkPrice(market.markPrice, raw, params);
  return { mark, isMoving: mark !== raw };
}

/** Of a market with an oracle: one side of its book alone moves it by no more than the premium may be. */
function indexMark(state: ClobState, market: Market): NextMark {
  const { mark: params, oracle: bounds } = state.params;
  const oracle = market.oracle!;
  const { index } = oracle;
  if (index === null || bounds === undefined) return { mark: market.markPrice, isMoving: false };
  const { raw, mid } = bookPricesOf(market, params);
  const premium = nextPremium(oracle.premium, index, mid, params.emaWeight, bounds.premiumMaxBps);
  if (premium !== oracle.premium) setOracle(state, market, { ...oracle, premium });
  const target = medianOf(index, bigintMax(1n, index + premium), raw);
  const mark = moved(market.markPrice ?? target, target, params.maxMoveBps);
  return { mark, isMoving: mark !== target || premium !== oracle.premium };
}

/** By how much the book trades above an index, on average. @param mid null while a side is empty, which tells nothing */
function nextPremium(
  premium: bigint,
  index: bigint,
  mid: bigint | null,
  emaWeight: number,
  premiumMaxBps: number,
): bigint {
  const basis = mid === null ? premium : mid - index;
  const next = emaWeight === 0 ? basis : premium + floorDiv((basis - premium) * BigInt(emaWeight), emaBase);
  const most = ceilDiv(index * BigInt(premiumMaxBps), 10_000n);
  return bigintMax(-most, bigintMin(most, next));
}

/** The median of three; of two where the book tells nothing it is the fair price. */
const medianOf = (index: bigint, fair: bigint, raw: bigint | null): bigint =>
  raw === null ? fair : bigintMax(bigintMin(index, fair), bigintMin(bigintMax(index, fair), raw));

/** Keeps which marks are on their way, for the blocks to come. */
export function keepMoving({ movingMarkets }: ClobState, moving: readonly Market[]): void {
  movingMarkets.clear();
  for (const market of moving) movingMarkets.add(market);
}
