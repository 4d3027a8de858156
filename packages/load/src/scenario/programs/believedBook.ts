import type { Prng } from '@prime/primitives';

/** An order that is believed to rest. Price in ticks, size in lots. */
export interface Resting {
  readonly owner: number;
  readonly label: string;
  readonly isBuy: boolean;
  readonly price: number;
  size: number;
  /** In the list of all of them. */
  place: number;
}

/** An order before it meets the book. Price in ticks, size in lots. */
export type NewOrder = Omit<Resting, 'place'> & { readonly tif: 'gtc' | 'ioc' | 'fok' };

/**
 * What a worker believes of a market, from what it sent and nothing else: nobody may ask in the measured part. It is right where nobody else trades
 * in the market and operations arrive in their order. Price, then time; an order that meets its owner's takes that out.
 *
 * It is no judge of anything: only for cancels that hit and orders that trade.
 */
export class BelievedBook {
  readonly #all: Resting[] = [];
  readonly #bids = new Side(-1);
  readonly #asks = new Side(1);

  get count(): number {
    return this.#all.length;
  }

  /** Price of the best order of a side, ticks. */
  best(isBuy: boolean): number | null {
    return this.#sideOf(isBuy).best();
  }

  place(order: NewOrder): void {
    const { owner, label, isBuy, price, tif } = order;
    if (tif === 'fok' && this.#sizeWithin(!isBuy, price, owner) < order.size) return;
    const left = this.#trade(order);
    if (left === 0 || tif !== 'gtc') return;
    const resting: Resting = { owner, label, isBuy, price, size: left, place: this.#all.length };
    this.#all.push(resting);
    this.#sideOf(isBuy).add(resting);
  }

  /** Any of them. */
  pick(random: Prng): Resting | null {
    return this.#all.length === 0 ? null : this.#all[random.below(this.#all.length)]!;
  }

  remove(order: Resting): void {
    const last = this.#all.pop()!;
    if (last !== order) {
      this.#all[order.place] = last;
      last.place = order.place;
    }
    this.#sideOf(order.isBuy).delete(order);
  }

  #sideOf(isBuy: boolean): Side {
    return isBuy ? this.#bids : this.#asks;
  }

  /** @returns lots that are left */
  #trade({ owner, isBuy, price, size }: NewOrder): number {
    const makers = this.#sideOf(!isBuy);
    let left = size;
    while (left > 0) {
      const maker = makers.first();
      if (maker === null || (isBuy ? maker.price > price : maker.price < price)) break;
      if (maker.owner !== owner) {
        const traded = Math.min(left, maker.size);
        left -= traded;
        maker.size -= traded;
      }
      if (maker.owner === owner || maker.size === 0) this.remove(maker);
    }
    return left;
  }

  #sizeWithin(isBuy: boolean, limit: number, exceptOf: number): number {
    return this.#all.reduce(
      (sum, maker) =>
        maker.isBuy === isBuy && maker.owner !== exceptOf && (isBuy ? maker.price >= limit : maker.price <= limit)
          ? sum + maker.size
          : sum,
      0,
    );
  }
}

/** Orders of a side by price, each price in the order of arrival. */
class Side {
  /** Away from the other side: 1 for asks, -1 for bids. */
  readonly #away: 1 | -1;
  readonly #levels = new Map<number, Set<Resting>>();
  /** No level is better than this. */
  #bound: number;

  constructor(away: 1 | -1) {
    this.#away = away;
    this.#bound = away * Number.POSITIVE_INFINITY;
  }

  add(order: Resting): void {
    const level = this.#levels.get(order.price);
    if (level === undefined) this.#levels.set(order.price, new Set([order]));
    else level.add(order);
    if ((order.price - this.#bound) * this.#away < 0) this.#bound = order.price;
  }

  delete(order: Resting): void {
    const level = this.#levels.get(order.price)!;
    level.delete(order);
    if (level.size === 0) this.#levels.delete(order.price);
  }

  best(): number | null {
    if (this.#levels.size === 0) {
      this.#bound = this.#away * Number.POSITIVE_INFINITY;
      return null;
    }
    while (!this.#levels.has(this.#bound)) this.#bound += this.#away;
    return this.#bound;
  }

  first(): Resting | null {
    const price = this.best();
    return price === null ? null : this.#levels.get(price)!.values().next().value!;
  }
}
