import type { Model } from '@prime/model';

/** Price in wei of the quote for one base unit, and the sum of what rests there in base units. */
export type Level = readonly [price: bigint, size: bigint];

/** Levels of a market as the model has them, both sides ascending. */
export function bookOf(
  { state }: Model,
  market: number,
): { readonly bids: readonly Level[]; readonly asks: readonly Level[] } {
  const side = (buy: boolean): Level[] => {
    const levels = new Map<bigint, bigint>();
    for (const order of state.orders.values())
      if (order.market === market && order.buy === buy)
        levels.set(order.price, (levels.get(order.price) ?? 0n) + order.remaining);
    return [...levels].sort(([a], [b]) => (a < b ? -1 : 1));
  };
  return { bids: side(true), asks: side(false) };
}
