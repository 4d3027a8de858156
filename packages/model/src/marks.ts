import type { ClobParams } from '@prime/codec';
import { bestOf, ceil, floor, max, min, type ModelState, sideOf } from './state.ts';
import type { Undo } from './undo.ts';

/** Mark prices, with an index and without. */

/** Median of what is known, see docs/protocol/clob.md. */
function rawMark(bid: bigint | undefined, ask: bigint | undefined, last: bigint | null): bigint | null {
  if (last === null) return bid === undefined || ask === undefined ? null : (bid + ask) / 2n;
  const known = [bid, ask, last].filter((price) => price !== undefined);
  if (known.length === 3) return known.sort((a, b) => (a < b ? -1 : 1))[1]!;
  if (bid !== undefined) return last > bid ? last : bid;
  return ask !== undefined && ask < last ? ask : last;
}

/** Price that counts for a side: the best one, or the average of what that notional would trade at. */
function sidePrice(state: ModelState, market: number, buy: boolean, notional: bigint): bigint | undefined {
  if (notional === 0n) return bestOf(state, market, buy)?.price;
  // Sizes as fractions over `scale`, so that a part of the last order is exact.
  let money = 0n;
  let size = 0n;
  for (const { price, remaining } of sideOf(state, market, buy)) {
    if (money + price * remaining < notional) {
      money += price * remaining;
      size += remaining;
      continue;
    }
    // notional / (size + (notional - money) / price)
    const [numerator, denominator] = [notional * price, size * price + notional - money];
    return buy ? numerator / denominator : (numerator + denominator - 1n) / denominator;
  }
  return undefined;
}

function smoothed(mark: bigint | null, raw: bigint | null, params: ClobParams['mark']): bigint | null {
  if (mark === null || raw === null) return raw;
  let next = raw;
  if (params.emaWeight > 0) next = mark + floor((raw - mark) * BigInt(params.emaWeight), 256n);
  if (params.maxMoveBps === 0) return next;
  const most = ceil(mark * BigInt(params.maxMoveBps), 10_000n);
  return next > mark + most ? mark + most : next < mark - most ? mark - most : next;
}

/** Mark prices of the next block. */
export function setMarks(undo: Undo, state: ModelState, all: ClobParams, height: number): void {
  const { mark: params } = all;
  state.markets.forEach((market, index) => {
    if (market.status === 'settling' || market.status === 'delisted') return;
    if (market.tradedAt === height && market.tradeBlocks < params.minTrades)
      undo.set(market, 'tradeBlocks', market.tradeBlocks + 1);
    const [bid, ask] = [true, false].map((buy) => sidePrice(state, index + 1, buy, params.impactNotional));
    const raw = rawMark(bid, ask, market.last);
    const { oracle } = market;
    if (oracle === null) undo.set(market, 'mark', smoothed(market.mark, raw, params));
    else if (oracle.index !== null) {
      const mid = bid === undefined || ask === undefined ? null : (bid + ask) / 2n;
      const { premium, mark } = indexMark({ ...oracle, index: oracle.index }, { raw, mid, mark: market.mark }, all);
      undo.set(market, 'oracle', { ...oracle, premium });
      undo.set(market, 'mark', mark);
    }
  });
}

/** Premium and mark of a market with an index. @param raw what the book and the last trade say @param mid null when a side is empty */
function indexMark(
  { index, premium }: { readonly index: bigint; readonly premium: bigint },
  { raw, mid, mark }: { readonly raw: bigint | null; readonly mid: bigint | null; readonly mark: bigint | null },
  { mark: params, oracle }: ClobParams,
): { readonly premium: bigint; readonly mark: bigint } {
  let next = premium;
  if (mid !== null) {
    const weight = BigInt(params.emaWeight === 0 ? 256 : params.emaWeight);
    next = premium + floor((mid - index - premium) * weight, 256n);
  }
  const bound = ceil(index * BigInt(oracle!.premiumMaxBps), 10_000n);
  if (next > bound) next = bound;
  if (next < -bound) next = -bound;
  const fair = max(1n, index + next);
  const target = raw === null ? fair : [index, fair, raw].sort((a, b) => (a < b ? -1 : 1))[1]!;
  if (mark === null || params.maxMoveBps === 0) return { premium: next, mark: target };
  const most = ceil(mark * BigInt(params.maxMoveBps), 10_000n);
  return { premium: next, mark: min(mark + most, max(mark - most, target)) };
}
