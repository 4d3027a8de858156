/**
 * Map from order ids to handles, in two typed arrays with open addressing: an order book looks orders up and drops them faster
 * than a Map's hash table of objects likes, and a million live orders are 24 MB that the collector never walks.
 *
 * Runs of {@link runBits} consecutive ids stand together, because new orders have them and young orders are what is asked for; the
 * runs are spread by an odd constant. Entries behind a removed one move up, so that there are no tombstones.
 */
const capacityMin = 1024;
/** 16 ids are two lines of the processor's cache. */
const runBits = 4;

export class OrderIndex {
  /** 0 where nothing is: ids start at 1. */
  #ids = new Float64Array(capacityMin);
  #handles = new Int32Array(capacityMin);
  #mask = capacityMin - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(id: number): number | undefined {
    const ids = this.#ids;
    const mask = this.#mask;
    for (let place = homeOf(id) & mask; ; place = (place + 1) & mask) {
      const found = ids[place]!;
      if (found === 0) return undefined;
      if (found === id) return this.#handles[place]!;
    }
  }

  /** All ids, ascending. */
  ids(): Float64Array {
    return this.#ids.filter((id) => id !== 0).sort();
  }

  /** @param id absent so far */
  set(id: number, handle: number): void {
    if (this.#size * 2 >= this.#ids.length) this.#grow();
    this.#size++;
    this.#put(id, handle);
  }

  /** @param id present */
  delete(id: number): void {
    const ids = this.#ids;
    const handles = this.#handles;
    const mask = this.#mask;
    let hole = homeOf(id) & mask;
    while (ids[hole] !== id) hole = (hole + 1) & mask;
    this.#size--;
    for (let place = (hole + 1) & mask; ids[place] !== 0; place = (place + 1) & mask) {
      // An entry may move up unless its first place is behind the hole.
      if (((place - homeOf(ids[place]!)) & mask) < ((place - hole) & mask)) continue;
      ids[hole] = ids[place]!;
      handles[hole] = handles[place]!;
      hole = place;
    }
    ids[hole] = 0;
  }

  #put(id: number, handle: number): void {
    const ids = this.#ids;
    const mask = this.#mask;
    let place = homeOf(id) & mask;
    while (ids[place] !== 0) place = (place + 1) & mask;
    ids[place] = id;
    this.#handles[place] = handle;
  }

  #grow(): void {
    const ids = this.#ids;
    const handles = this.#handles;
    this.#ids = new Float64Array(ids.length * 2);
    this.#handles = new Int32Array(ids.length * 2);
    this.#mask = ids.length * 2 - 1;
    for (let place = 0; place < ids.length; place++) if (ids[place] !== 0) this.#put(ids[place]!, handles[place]!);
  }
}

function homeOf(id: number): number {
  const low = id | 0;
  const mixed = Math.imul(low >>> runBits, 0x9e3779b1);
  return ((mixed ^ (mixed >>> 15)) << runBits) | (low & (2 ** runBits - 1));
}
