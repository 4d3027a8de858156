import type { OrderRef } from './flow/flow.ts';

/** An order of the flow that rests, with what is left of it. `owner` is an address. */
export interface LiveOrder {
  readonly ref: OrderRef;
  readonly market: number;
  readonly owner: string;
  /** Decimal text. */
  readonly price: string;
  /** Base units. */
  remaining: bigint;
}

/** Orders of a network that rest, by the ids that the network gave them: as many as rest at one time, however long the record is. */
export class LiveOrders {
  readonly #orders = new Map<number, LiveOrder>();

  add(id: number, order: LiveOrder): void {
    this.#orders.set(id, order);
  }

  get(id: number): LiveOrder | undefined {
    return this.#orders.get(id);
  }

  /** A trade: forgets the order when nothing is left of it. */
  fill(id: number, size: bigint): void {
    const order = this.#orders.get(id);
    if (order === undefined) return;
    order.remaining -= size;
    if (order.remaining <= 0n) this.#orders.delete(id);
  }

  reduce(id: number, remaining: bigint): void {
    const order = this.#orders.get(id);
    if (order !== undefined) order.remaining = remaining;
  }

  end(id: number): void {
    this.#orders.delete(id);
  }
}
