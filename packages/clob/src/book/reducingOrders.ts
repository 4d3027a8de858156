/** Resting reduce-only orders of an account in a market. All are of one side, because a position is long or short. */
export class ReducingOrders {
  /** What is left of all of them, base units. */
  size = 0n;
  /** By id: the oldest first. */
  readonly #handles: number[] = [];

  /** The order that goes first when there are too many; undefined where there is none. */
  get youngest(): number | undefined {
    return this.#handles.at(-1);
  }

  /** @param ids of orders, by handle */
  add(handle: number, ids: ArrayLike<number>): void {
    this.#handles.splice(this.#placeOf(ids[handle]!, ids), 0, handle);
  }

  /** @param ids of orders, by handle */
  remove(handle: number, ids: ArrayLike<number>): void {
    this.#handles.splice(this.#placeOf(ids[handle]!, ids), 1);
  }

  /** Where an id stands, or would have to. Nearly always at the end. */
  #placeOf(id: number, ids: ArrayLike<number>): number {
    const handles = this.#handles;
    let [low, high] = [0, handles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ids[handles[middle]!]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
