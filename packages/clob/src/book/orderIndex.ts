import { orderPageIds } from '@prime/codec';
import { type FirstRoom, usualRoom } from './firstRoom.ts';
import { OlderOrders } from './olderOrders.ts';

/** What a handle is when there is no order. */
export const noOrder = -1;

const usualIds = 2 ** 10;
/** Four MiB of handles. */
const roomMax = 2 ** 20;
/** The ring grows in place of giving orders away while one in so many of its places has one. */
const sparseness = 8;

/**
 * Map from order ids to handles.
 *
 * Ids are given one after the other, and most of what happens happens to young orders: the newest ids are places of a ring, where an order is found and
 * dropped with one access. An order that is still there when the ring comes round goes to {@link OlderOrders}, with its page of {@link orderPageIds}
 * consecutive ids. How large the ring is follows from the orders that are in it.
 */
export class OrderIndex {
  readonly #older = new OlderOrders();
  /** Handle + 1 by the lowest bits of the id; 0 where there is none. */
  #ring: Int32Array;
  #mask: number;
  /** First id of the ring, also the first of a page. */
  #from = 0;
  /** Orders in the ring. */
  #young = 0;

  /** @param firstRoom comes to a power of two, and to a page at least */
  constructor(firstRoom: FirstRoom = usualRoom) {
    const room = Math.max(orderPageIds, firstRoom(usualIds));
    this.#ring = new Int32Array(room);
    this.#mask = room - 1;
  }

  get size(): number {
    return this.#young + this.#older.size;
  }

  get(id: number): number | undefined {
    const named = this.#named(id);
    return named === 0 ? undefined : named - 1;
  }

  /** Handles of the orders of a page by their place in it, {@link noOrder} where there is none. @param id any of the page @param handles {@link orderPageIds} of them, filled in */
  readPage(id: number, handles: Int32Array): void {
    const first = firstOf(id);
    for (let at = 0; at < orderPageIds; at++) handles[at] = this.#named(first + at) - 1;
  }

  /** All ids, ascending. */
  ids(): Float64Array {
    const ids = new Float64Array(this.size);
    let count = this.#older.collect(ids);
    for (let id = this.#from; id <= this.#from + this.#mask; id++)
      if (this.#ring[id & this.#mask] !== 0) ids[count++] = id;
    return ids.sort();
  }

  /** @param id absent so far */
  set(id: number, handle: number): void {
    if (id < this.#from) {
      this.#older.set(id, handle + 1);
      return;
    }
    if (id - this.#from > this.#mask) this.#advance(id);
    this.#young++;
    this.#ring[id & this.#mask] = handle + 1;
  }

  /** @param id present */
  delete(id: number): void {
    if (id < this.#from) {
      this.#older.delete(id);
      return;
    }
    this.#young--;
    this.#ring[id & this.#mask] = 0;
  }

  #named(id: number): number {
    const place = id - this.#from;
    if (place < 0) return this.#older.get(id);
    return place > this.#mask ? 0 : this.#ring[id & this.#mask]!;
  }

  /** Makes a place for an id behind the ring. Cost: the pages of ids that were passed over, at most the ring. */
  #advance(id: number): void {
    while (id - this.#from > this.#mask) {
      if (this.#young === 0) this.#from = firstOf(id);
      else if (this.#mask + 1 < roomMax && this.#young * sparseness > this.#mask) this.#grow();
      else this.#giveAway();
    }
  }

  /** Gives the orders of the first page away. */
  #giveAway(): void {
    const ring = this.#ring;
    const first = this.#from & this.#mask;
    for (let at = 0; at < orderPageIds; at++) {
      const named = ring[first + at]!;
      if (named === 0) continue;
      this.#older.set(this.#from + at, named);
      ring[first + at] = 0;
      this.#young--;
    }
    this.#from += orderPageIds;
  }

  /** Room behind the last id, so that what is old stays so. */
  #grow(): void {
    const ring = this.#ring;
    const mask = this.#mask;
    this.#ring = new Int32Array(ring.length * 2);
    this.#mask = ring.length * 2 - 1;
    for (let id = this.#from; id <= this.#from + mask; id++) this.#ring[id & this.#mask] = ring[id & mask]!;
  }
}

// The lowest bits of an id are those of its lowest 32, however large it is.
const firstOf = (id: number): number => id - (id & (orderPageIds - 1));
