import { type BookOrder, type BookOrdersMessage } from '@prime/rpc';
import type { OrderRecord, Side } from '@prime/codec';
import type { OrderChange } from '../readModel/books/bookChanges.ts';
import { BookSide } from '../readModel/books/bookSide.ts';

/** A book order by order, in the order in which they trade: by price, and at one price the lowest id first. */

/** One side, its prices in order as {@link BookSide} keeps them. */
class OrderSide {
  readonly #levels = new BookSide();
  /** At each price, ascending by id. */
  readonly #queues = new Map<bigint, BookOrder[]>();

  /** Puts an order where it belongs. */
  insert(order: BookOrder): void {
    this.#levels.change(order.price, order.size);
    const queue = this.#queues.get(order.price) ?? [];
    this.#queues.set(order.price, queue);
    // Ids ascend with time, so that nearly all come last.
    let at = queue.length;
    while (at > 0 && queue[at - 1]!.orderId > order.orderId) at--;
    queue.splice(at, 0, order);
  }

  remove({ orderId, price }: BookOrder): void {
    const queue = this.#queues.get(price)!;
    const at = queue.findIndex((order) => order.orderId === orderId);
    const [order] = queue.splice(at, 1);
    this.#levels.change(price, -order!.size);
    if (queue.length === 0) this.#queues.delete(price);
  }

  /** Ascending by price, then by id. */
  all(): BookOrder[] {
    return this.#levels.levels().flatMap(({ price }) => this.#queues.get(price)!);
  }

  /** The first in the order in which they trade. @param side which end of the prices is the best */
  best(count: number, side: Side): BookOrder[] {
    const levels = side === 'buy' ? this.#levels.highest(count) : this.#levels.lowest(count);
    const found: BookOrder[] = [];
    for (const { price } of levels) {
      found.push(...this.#queues.get(price)!.slice(0, count - found.length));
      if (found.length === count) break;
    }
    return found;
  }
}

const shown = ({ orderId, price, remaining }: OrderRecord): BookOrder => ({ orderId, price, size: remaining });
const ascending = (a: BookOrder, b: BookOrder): number =>
  a.price === b.price ? a.orderId - b.orderId : a.price < b.price ? -1 : 1;

/** Both sides, best first. */
export interface BestOrders {
  readonly bids: readonly BookOrder[];
  readonly asks: readonly BookOrder[];
}

/** All orders of one market, as of the newest block that was applied. */
export class BookOrders {
  readonly #bids = new OrderSide();
  readonly #asks = new OrderSide();

  constructor(resting: Iterable<OrderRecord>) {
    for (const order of resting) this.#side(order.side).insert(shown(order));
  }

  #side(side: Side): OrderSide {
    return side === 'buy' ? this.#bids : this.#asks;
  }

  /** Takes what a block did. @returns how it is told: sizes that orders have now, 0 where one is gone */
  apply(changes: readonly OrderChange[]): Pick<BookOrdersMessage, 'bids' | 'asks'> {
    const told = { bids: [] as BookOrder[], asks: [] as BookOrder[] };
    const tell = (side: Side, order: BookOrder): unknown => (side === 'buy' ? told.bids : told.asks).push(order);
    for (const { before, after } of changes) {
      if (before !== null) this.#side(before.side).remove(shown(before));
      if (after !== null) {
        this.#side(after.side).insert(shown(after));
        tell(after.side, shown(after));
      }
      if (before !== null && (before.side !== after?.side || before.price !== after.price))
        tell(before.side, { ...shown(before), size: 0n });
    }
    told.bids.sort(ascending);
    told.asks.sort(ascending);
    return told;
  }

  /** Ascending by price, at one price the oldest first. */
  all(): Pick<BookOrdersMessage, 'bids' | 'asks'> {
    return { bids: this.#bids.all(), asks: this.#asks.all() };
  }

  best(count: number): BestOrders {
    return { bids: this.#bids.best(count, 'buy'), asks: this.#asks.best(count, 'sell') };
  }
}
