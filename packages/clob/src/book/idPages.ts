/** Ids in a page. Places in it are found by a multiplication: what is left of a division of floating numbers is a call into the C library. */
const pageIds = 1024;

interface Page {
  /** Value + 1 by place in the page; 0 where nothing is. */
  readonly bytes: Uint8Array;
  count: number;
}

/**
 * Map from ids to small numbers for ids that stand close together, as those of orders that ended do: pages of bytes, so that what is
 * asked for in one block is in a few cache lines, where a hash table would be asked all over. A page goes with its last entry; an id that
 * is alone in its page costs a kilobyte, and whoever wants that has to use up a thousand ids for it.
 */
export class IdPages {
  readonly #pages = new Map<number, Page>();
  // The latest page that was asked for.
  #number = -1;
  #page: Page | undefined;

  /** @returns -1 when the id is absent */
  get(id: number): number {
    const number = Math.floor(id / pageIds);
    const page = this.#at(number);
    return page === undefined ? -1 : page.bytes[id - number * pageIds]! - 1;
  }

  /** @param value 0 to 254 */
  set(id: number, value: number): void {
    const number = Math.floor(id / pageIds);
    let page = this.#at(number);
    if (page === undefined) {
      page = { bytes: new Uint8Array(pageIds), count: 0 };
      this.#pages.set(number, page);
      this.#page = page;
    }
    const place = id - number * pageIds;
    if (page.bytes[place] === 0) page.count++;
    page.bytes[place] = value + 1;
  }

  delete(id: number): void {
    const number = Math.floor(id / pageIds);
    const page = this.#at(number);
    const place = id - number * pageIds;
    if (page === undefined || page.bytes[place] === 0) return;
    page.bytes[place] = 0;
    if (--page.count > 0) return;
    this.#pages.delete(number);
    this.#page = undefined;
  }

  #at(number: number): Page | undefined {
    if (number !== this.#number) {
      this.#number = number;
      this.#page = this.#pages.get(number);
    }
    return this.#page;
  }
}
