import { orderPageIds } from '@prime/codec';

const capacityMin = 128;

/**
 * Handles of orders whose ids are not among the newest, in two typed arrays.
 *
 * Ids stand in pages of {@link orderPageIds} consecutive ones, those whose records share a leaf;
 * pages are found by open addressing. A page goes with its last order. Then those behind it move up, so that there are no tombstones:
 * once in eight orders, where a table of ids would move entries for each. Half a line of the processor's cache for a page is also what an
 * order needs whose neighbours are all gone.
 */
export class OlderOrders {
  /** Last id of the page; 0 where nothing is. */
  #pages = new Float64Array(capacityMin);
  /** Handle + 1 of each order of the page at that place; 0 where there is none. */
  #handles = new Int32Array(capacityMin * orderPageIds);
  #mask = capacityMin - 1;
  #pageCount = 0;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** @returns 0 when the order is absent, else its handle + 1 */
  get(id: number): number {
    const place = this.#placeOf(id);
    return place < 0 ? 0 : this.#handles[place * orderPageIds + placeInPage(id)]!;
  }

  /** Writes all ids down, in no order. @returns how many */
  collect(ids: Float64Array): number {
    let count = 0;
    for (let place = 0; place <= this.#mask; place++)
      for (let at = 0; at < orderPageIds; at++)
        if (this.#handles[place * orderPageIds + at] !== 0) ids[count++] = this.#pages[place]! - lastInPage + at;
    return count;
  }

  /** @param id absent so far @param named handle + 1 */
  set(id: number, named: number): void {
    let place = this.#placeOf(id);
    if (place < 0) {
      if (this.#pageCount * 2 > this.#mask) this.#grow();
      this.#pageCount++;
      place = this.#freePlace(id);
      this.#pages[place] = lastOf(id);
    }
    this.#size++;
    this.#handles[place * orderPageIds + placeInPage(id)] = named;
  }

  /** @param id present */
  delete(id: number): void {
    const handles = this.#handles;
    const place = this.#placeOf(id);
    const from = place * orderPageIds;
    this.#size--;
    handles[from + placeInPage(id)] = 0;
    let left = 0;
    for (let at = 0; at < orderPageIds; at++) left |= handles[from + at]!;
    if (left === 0) this.#drop(place);
  }

  /** @returns -1 when no order of the id's page is here */
  #placeOf(id: number): number {
    const pages = this.#pages;
    const mask = this.#mask;
    const last = lastOf(id);
    for (let place = homeOf(id) & mask; ; place = (place + 1) & mask) {
      const found = pages[place]!;
      if (found === last) return place;
      if (found === 0) return -1;
    }
  }

  #freePlace(id: number): number {
    const pages = this.#pages;
    const mask = this.#mask;
    let place = homeOf(id) & mask;
    while (pages[place] !== 0) place = (place + 1) & mask;
    return place;
  }

  /** Takes out a page without orders. */
  #drop(empty: number): void {
    const pages = this.#pages;
    const handles = this.#handles;
    const mask = this.#mask;
    this.#pageCount--;
    let hole = empty;
    for (let place = (hole + 1) & mask; pages[place] !== 0; place = (place + 1) & mask) {
      // A page may move up unless its first place is behind the hole.
      if (((place - homeOf(pages[place]!)) & mask) < ((place - hole) & mask)) continue;
      pages[hole] = pages[place]!;
      // Eight numbers: calling for a copy takes longer than copying them.
      for (let at = 0; at < orderPageIds; at++) handles[hole * orderPageIds + at] = handles[place * orderPageIds + at]!;
      hole = place;
    }
    pages[hole] = 0;
    // The page that was to go has no orders any more.
    if (hole !== empty) for (let at = 0; at < orderPageIds; at++) handles[hole * orderPageIds + at] = 0;
  }

  #grow(): void {
    const pages = this.#pages;
    const handles = this.#handles;
    this.#pages = new Float64Array(pages.length * 2);
    this.#handles = new Int32Array(handles.length * 2);
    this.#mask = pages.length * 2 - 1;
    for (let from = 0; from < pages.length; from++) {
      if (pages[from] === 0) continue;
      const place = this.#freePlace(pages[from]!);
      this.#pages[place] = pages[from]!;
      this.#handles.set(handles.subarray(from * orderPageIds, (from + 1) * orderPageIds), place * orderPageIds);
    }
  }
}

const lastInPage = orderPageIds - 1;
const pageBits = Math.log2(orderPageIds);
// The lowest bits of an id are those of its lowest 32, however large it is.
const placeInPage = (id: number): number => id & lastInPage;
const lastOf = (id: number): number => id - placeInPage(id) + lastInPage;

/** Consecutive pages stand side by side in fours, because young orders are what is asked for; the fours are spread by an odd constant. */
function homeOf(id: number): number {
  const page = id >>> pageBits;
  const mixed = Math.imul(page >>> 2, 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) << 2) | (page & 3);
}
