import type { MarkParams } from '@prime/codec';
import { bigintAbs, bigintMax, bigintMin, ceilDiv, floorDiv } from '@prime/primitives';
import { changeMarket, moveMarks, reprice } from '../state/changes.ts';
import { countMark } from './funding.ts';
import type { Market } from '../state/markets.ts';
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

/**
 * Mark prices of the next block, for the markets whose book or last price may have moved, and for those whose mark was still on its
 * way. @returns the markets that are on their way now
 */
export function updateMarks(state: ClobState): Market[] {
  const { mark: params } = state.params;
  const moving: Market[] = [];
  let most = 0;
  for (const market of new Set([...state.dirtyMarkets, ...state.movingMarkets])) {
    if (state.market(market.id) !== market) continue;
    if (market.tradedAt === state.height && market.tradeBlocks < params.minTrades)
      changeMarket(state, market).tradeBlocks++;
    const told = state.sharing?.rawPrices.get(market);
    const raw = told === undefined ? rawPriceOf(market, params) : told;
    const mark = nextMarkPrice(market.markPrice, raw, params);
    if (mark !== raw) moving.push(market);
    const { markPrice: before } = market;
    if (mark === before) continue;
    countMark(state, market);
    changeMarket(state, market).markPrice = mark;
    if (mark === null || before === null) reprice(state);
    else most = Math.max(most, Number(bigintAbs(mark - before)) / Number(before));
  }
  if (most > 0) moveMarks(state, most);
  return moving;
}

/** Keeps which marks are on their way, for the blocks to come. */
export function keepMoving({ movingMarkets }: ClobState, moving: readonly Market[]): void {
  movingMarkets.clear();
  for (const market of moving) movingMarkets.add(market);
}
