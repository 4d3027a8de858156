import type { OrderRef } from '../recording/flow/flow.ts';

/** An order of the file that rests in its stock's book. */
export interface ItchOrder {
  readonly reference: bigint;
  readonly market: number;
  readonly isBuy: boolean;
  /** Ten-thousandths of a dollar. */
  readonly price: number;
  readonly account: string;
  shares: number;
  /** The line that placed it; null before the flow begins. */
  ref: OrderRef | null;
}

/** Orders of one price, the oldest first. */
type Level = Set<ItchOrder>;

class BookSide {
  readonly #isBuy: boolean;
  readonly #levels = new Map<number, Level>();
  /** Null when it has to be looked for, or there is none. */
  #best: number | null = null;

  constructor(isBuy: boolean) {
    this.#isBuy = isBuy;
  }

  get best(): number | null {
    if (this.#best === null)
      for (const price of this.#levels.keys())
        if (this.#best === null || this.isBetter(price, this.#best)) this.#best = price;
    return this.#best;
  }

  isBetter(price: number, than: number): boolean {
    return this.#isBuy ? price > than : price < than;
  }

  add(order: ItchOrder): void {
    const level = this.#levels.get(order.price) ?? new Set<ItchOrder>();
    this.#levels.set(order.price, level);
    level.add(order);
    if (this.#best !== null && this.isBetter(order.price, this.#best)) this.#best = order.price;
  }

  remove(order: ItchOrder): void {
    const level = this.#levels.get(order.price);
    if (level === undefined || !level.delete(order) || level.size > 0) return;
    this.#levels.delete(order.price);
    if (this.#best === order.price) this.#best = null;
  }

  /** Whether whoever comes next meets this order. */
  isFirst(order: ItchOrder): boolean {
    if (this.best !== order.price) return false;
    const [first] = this.#levels.get(order.price) ?? [];
    return first === order;
  }
}

/** The displayed book of a stock: what an order at the exchange would meet, and in which order. */
export class ItchBook {
  readonly #bids = new BookSide(true);
  readonly #asks = new BookSide(false);

  add(order: ItchOrder): void {
    this.#side(order.isBuy).add(order);
  }

  remove(order: ItchOrder): void {
    this.#side(order.isBuy).remove(order);
  }

  isFirst(order: ItchOrder): boolean {
    return this.#side(order.isBuy).isFirst(order);
  }

  /** Whether an order at a price would trade at once. */
  crosses(isBuy: boolean, price: number): boolean {
    const other = this.#side(!isBuy).best;
    return other !== null && (isBuy ? price >= other : price <= other);
  }

  /** Whether an order at a price would be the best of its side, alone. */
  leads(isBuy: boolean, price: number): boolean {
    const side = this.#side(isBuy);
    return side.best === null || side.isBetter(price, side.best);
  }

  #side(isBuy: boolean): BookSide {
    return isBuy ? this.#bids : this.#asks;
  }
}
