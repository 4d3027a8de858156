import type { OrderBookState, PriceLevel } from '@prime/sdk';

/** Columns for a chart, by price ascending: how much could be sold down to a price, and bought up to it. */
export interface DepthCurve {
  readonly prices: readonly number[];
  /** null above the best bid. */
  readonly bids: readonly (number | null)[];
  /** null below the best ask. */
  readonly asks: readonly (number | null)[];
}

/** Levels of a side that the curve shows. */
const levelsMax = 200;
/** Farthest from the middle, as a multiple of how far the nearer side reaches: a lone order far away must not flatten the rest. */
const reachMax = 3;

interface Units {
  formatPrice(price: bigint): string;
  formatSize(size: bigint): string;
}

/**
 * Sizes that rest up to each price, from the best one on, in whole units; prices far from the middle are left out.
 */
export function depthOf({ bids, asks }: Pick<OrderBookState, 'bids' | 'asks'>, units: Units): DepthCurve {
  const sums = (levels: readonly PriceLevel[]): { price: number; total: number }[] => {
    let total = 0n;
    return levels.slice(0, levelsMax).map(({ price, size }) => {
      total += size;
      return { price: Number(units.formatPrice(price)), total: Number(units.formatSize(total)) };
    });
  };
  const [down, up] = [sums(bids), sums(asks)];
  const [bid, ask] = [down[0]?.price, up[0]?.price];
  const near = bid !== undefined && ask !== undefined ? within(down, up, (bid + ask) / 2) : { down, up };
  const rows = [
    ...near.down.toReversed().map(({ price, total }) => ({ price, bid: total, ask: null })),
    ...near.up.map(({ price, total }) => ({ price, bid: null, ask: total })),
  ];
  return {
    prices: rows.map(({ price }) => price),
    bids: rows.map(({ bid: total }) => total),
    asks: rows.map(({ ask: total }) => total),
  };
}

interface Sum {
  readonly price: number;
  readonly total: number;
}

function within(
  down: readonly Sum[],
  up: readonly Sum[],
  middle: number,
): { readonly down: readonly Sum[]; readonly up: readonly Sum[] } {
  const reach = (side: readonly Sum[]): number => Math.abs(side.at(-1)!.price - middle);
  const most = Math.min(reach(down), reach(up)) * reachMax;
  const isNear = ({ price }: Sum): boolean => Math.abs(price - middle) <= most;
  return { down: down.filter(isNear), up: up.filter(isNear) };
}
