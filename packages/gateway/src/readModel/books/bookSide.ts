import type { OrderBook, PriceLevel } from '@prime/rpc';

/** One side of a book, aggregated: size per price, kept in ascending order of price. */
export class BookSide {
  private readonly sizes = new Map<bigint, bigint>();
  private readonly prices: bigint[] = [];

  /** Adds to a level, or takes from it; a level that comes to 0 is gone. */
  change(price: bigint, delta: bigint): void {
    if (delta === 0n) return;
    const previous = this.sizes.get(price);
    const size = (previous ?? 0n) + delta;
    if (size === 0n) {
      this.sizes.delete(price);
      this.prices.splice(this.placeOf(price), 1);
      return;
    }
    if (previous === undefined) this.prices.splice(this.placeOf(price), 0, price);
    this.sizes.set(price, size);
  }

  /** 0 where there is no level. */
  sizeAt(price: bigint): bigint {
    return this.sizes.get(price) ?? 0n;
  }

  /** The levels with the lowest prices, ascending. */
  lowest(count: number): PriceLevel[] {
    return this.prices.slice(0, count).map((price) => ({ price, size: this.sizes.get(price)! }));
  }

  /** The levels with the highest prices, descending. */
  highest(count: number): PriceLevel[] {
    return this.prices
      .slice(-count)
      .reverse()
      .map((price) => ({ price, size: this.sizes.get(price)! }));
  }

  levels(): PriceLevel[] {
    return this.prices.map((price) => ({ price, size: this.sizes.get(price)! }));
  }

  /** Index of the first price that is not below the given one. */
  private placeOf(price: bigint): number {
    let low = 0;
    let high = this.prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.prices[middle]! < price) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Both sides of a market's book. */
export interface MarketBook {
  readonly bids: BookSide;
  readonly asks: BookSide;
  /** The last answer; dropped when the book changes. */
  shown: OrderBook | null;
  /** Height of the newest block that changed a level. */
  sequence: number;
  /** Height of the newest block that changed an order. */
  orderSequence: number;
  /** Orders that rest. */
  orders: number;
}

/** A book in which nothing rests. @param height its sequence until a block changes it */
export const emptyBook = (height: number): MarketBook => ({
  bids: new BookSide(),
  asks: new BookSide(),
  shown: null,
  sequence: height,
  orderSequence: height,
  orders: 0,
});
