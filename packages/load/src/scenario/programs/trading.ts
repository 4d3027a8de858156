import type { ActionPayload, OrderFields } from '@prime/codec';
import type { MarketId } from '@prime/primitives';
import { type Draft, ownAction } from '../draft.ts';
import type { Market } from '../layout.ts';
import type { Program, World } from '../world.ts';
import { BelievedBook, type NewOrder, type Resting } from './believedBook.ts';

/** Orders around a price that moves: the kinds of a group share the books, so that cancels know what there is to cancel. */

/** Kinds that trade around the moving price. */
export type TradingKind = 'order_gtc' | 'order_ioc' | 'order_fok' | 'cancel' | 'replace' | 'move';

/** Ticks. Far from zero and from what overflows. */
export const firstPrice = 10_000;
const priceSpan = 4_000;
/** Largest order, lots. */
export const lotsMax = 10;
/** Ticks beyond the best price that a taker takes. */
const slip = 4;
/** Orders of the batches that fill a book. */
const fillItems = 50;

interface Place {
  readonly market: Market;
  readonly book: BelievedBook;
  /** Orders that are to rest, over all of this worker's share. */
  readonly target: number;
  /** How far from the middle they stand, ticks. */
  readonly depth: number;
  middle: number;
}

/** Books that the kinds of a worker share. Each book is filled first, then kept near its number of resting orders. */
export class Trading {
  readonly #world: World;
  readonly #places: readonly Place[];
  readonly #fills: Draft[] = [];
  #nextFill = 0;

  /** @param size orders that rest in each market, over all workers */
  constructor(world: World, size: number) {
    this.#world = world;
    // Markets that fewer than all workers could have alone are traded by all.
    const sharers = world.markets.length < world.workers ? world.workers : 1;
    const target = Math.max(2, Math.ceil(size / sharers));
    const depth = Math.max(8, Math.ceil((size * 3) / 8));
    this.#places = world.markets.map((market) => ({
      market,
      book: new BelievedBook(),
      target,
      depth,
      middle: firstPrice,
    }));
    for (const place of this.#places) this.#fill(place);
  }

  program(kind: TradingKind): Program {
    return () => this.#fills[this.#nextFill++] ?? this.#next(kind);
  }

  #next(kind: TradingKind): Draft {
    const { random } = this.#world;
    const place = this.#places[random.below(this.#places.length)]!;
    if (random.chance(1, 8)) this.#moveMiddle(place);
    switch (this.#fitting(kind, place)) {
      case 'order_ioc':
        return this.#take(place, 'ioc');
      case 'order_fok':
        return this.#take(place, 'fok');
      case 'cancel':
        return this.#cancel(place);
      case 'replace':
        return this.#replace(place, 'replace', (old) => this.#quote(place, old.owner, random.chance(1, 2)));
      case 'move':
        return this.#replace(place, 'move', (old) => ({ ...this.#quote(place, old.owner, old.isBuy), size: old.size }));
      default:
        return this.#order(place, 'order_gtc', this.#quote(place, this.#anyone(), random.chance(1, 2)));
    }
  }

  /** Weights alone let a book grow or empty without an end, by what takers leave over; near its size they decide. */
  #fitting(kind: TradingKind, { book, target }: Place): TradingKind {
    if (kind === 'order_gtc' && book.count > target * 1.25 + 8) return 'cancel';
    const isForResting = kind === 'cancel' || kind === 'replace' || kind === 'move';
    return isForResting && (book.count === 0 || (kind === 'cancel' && book.count < target * 0.75)) ? 'order_gtc' : kind;
  }

  #moveMiddle(place: Place): void {
    const step = this.#world.random.chance(1, 2) ? 1 : -1;
    if (Math.abs(place.middle + step - firstPrice) <= priceSpan) place.middle += step;
  }

  #anyone(): number {
    const { accounts, random } = this.#world;
    return accounts[random.below(accounts.length)]!;
  }

  /** Nearer to the middle more often. */
  #quote({ depth, middle }: Place, owner: number, isBuy: boolean): NewOrder {
    const { random } = this.#world;
    const away = 1 + Math.min(random.below(depth), random.below(depth));
    const price = isBuy ? middle - away : middle + away;
    return { owner, label: this.#world.label(), isBuy, price, size: 1 + random.below(lotsMax), tif: 'gtc' };
  }

  #take(place: Place, tif: 'ioc' | 'fok'): Draft {
    const { random } = this.#world;
    const isBuy = random.chance(1, 2);
    const best = place.book.best(!isBuy) ?? place.middle;
    const price = isBuy ? best + slip : best - slip;
    const size = 1 + random.below(lotsMax);
    return this.#order(place, `order_${tif}`, {
      owner: this.#anyone(),
      label: this.#world.label(),
      isBuy,
      price,
      size,
      tif,
    });
  }

  #order({ market, book }: Place, kind: string, order: NewOrder): Draft {
    book.place(order);
    return ownAction(kind, this.#account(order.owner), orderOf(market, order));
  }

  #cancel({ market, book }: Place): Draft {
    const old = book.pick(this.#world.random)!;
    book.remove(old);
    return ownAction('cancel', this.#account(old.owner), cancelOf(market, old.label));
  }

  #replace({ market, book }: Place, kind: string, next: (old: Resting) => NewOrder): Draft {
    const old = book.pick(this.#world.random)!;
    const order = next(old);
    book.remove(old);
    book.place(order);
    const items = [cancelOf(market, old.label), orderOf(market, order)];
    return ownAction(kind, this.#account(old.owner), { type: 'batch', items });
  }

  #account(index: number) {
    return this.#world.keyring.account(index);
  }

  /** The first orders of a book, in batches of one account each. */
  #fill(place: Place): void {
    for (let left = place.target; left > 0; left -= fillItems) {
      const owner = this.#anyone();
      const items = Array.from({ length: Math.min(left, fillItems) }, (_, index) => {
        const order = this.#quote(place, owner, index % 2 === 0);
        place.book.place(order);
        return orderOf(place.market, order);
      });
      this.#fills.push(ownAction('fill', this.#account(owner), { type: 'batch', items }));
    }
  }
}

/** Price in ticks, size in lots. */
export function orderOf(
  { id, tick, lot }: Market,
  order: Pick<NewOrder, 'isBuy' | 'price' | 'size' | 'tif'> & {
    readonly label?: string;
    readonly reduceOnly?: boolean;
    readonly expiresAt?: number;
  },
): { readonly type: 'order' } & OrderFields {
  return {
    type: 'order',
    marketId: id as MarketId,
    side: order.isBuy ? 'buy' : 'sell',
    price: BigInt(order.price) * tick,
    size: BigInt(order.size) * lot,
    tif: order.tif,
    postOnly: false,
    reduceOnly: order.reduceOnly ?? false,
    selfTrade: 'cancel_maker',
    clientId: order.label ?? null,
    expiresAt: order.expiresAt ?? 0,
  };
}

const cancelOf = ({ id }: Market, label: string): ActionPayload => ({
  type: 'cancelByClientId',
  marketId: id as MarketId,
  clientId: label,
});
