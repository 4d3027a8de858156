import type { OrderBookState, PriceLevel, Side } from '@prime/sdk';

/** A line of the ladder. */
export interface Rung {
  readonly price: bigint;
  readonly size: bigint;
  /** Of this price and of all better ones. */
  readonly total: bigint;
}

/** Both sides, best first. */
export interface Ladder {
  readonly bids: readonly Rung[];
  readonly asks: readonly Rung[];
}

/** How many lines a book has, and how coarse they are. */
export interface LadderOptions {
  /** Lines of each side. */
  readonly rows: number;
  /** Prices between two multiples of it are one line: bids at the lower one, asks at the upper one. A multiple of the tick. */
  readonly step: bigint;
}

/** Levels of a side, best first, put together by the step. */
function rungsOf(levels: readonly PriceLevel[], side: Side, { rows, step }: LadderOptions): readonly Rung[] {
  const rungs: { price: bigint; size: bigint; total: bigint }[] = [];
  let total = 0n;
  for (const { price, size } of levels) {
    const below = price - (price % step);
    const at = side === 'buy' || below === price ? below : below + step;
    const newest = rungs.at(-1);
    total += size;
    if (newest !== undefined && newest.price === at) {
      newest.size += size;
      newest.total = total;
    } else if (rungs.length === rows) break;
    else rungs.push({ price: at, size, total });
  }
  return rungs;
}

/** Lines of both sides, the best price first. */
export const ladderOf = (book: Pick<OrderBookState, 'bids' | 'asks'>, options: LadderOptions): Ladder => ({
  bids: rungsOf(book.bids, 'buy', options),
  asks: rungsOf(book.asks, 'sell', options),
});

/** Gap between the best prices, and the same as a share of their middle; null where a side is empty. */
export function spreadOf({
  bids,
  asks,
}: Pick<OrderBookState, 'bids' | 'asks'>): { readonly gap: bigint; readonly share: number } | null {
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  if (bid === undefined || ask === undefined) return null;
  return { gap: ask - bid, share: (2 * Number(ask - bid)) / Number(ask + bid) };
}

/** Shares of bars are steps of this, so that a bar does not move for what nobody sees. */
const barSteps = 200;

/** How long the bar of a line is, 0 to 1. @param most total of the deepest line of both sides */
export const barOf = (total: bigint, most: bigint): number =>
  most === 0n ? 0 : Number((total * BigInt(barSteps) + most - 1n) / most) / barSteps;

/** Steps that a ladder of this tick can be put together by. */
export const stepsOf = (tick: bigint): readonly bigint[] => [1n, 2n, 10n, 100n, 1_000n].map((times) => times * tick);
