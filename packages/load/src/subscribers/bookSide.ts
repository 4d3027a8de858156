/** A price or size as streams tell it: hex with `0x`, lower case, without leading zeros. */
export type Quantity = string;

/** Order of two quantities, without making numbers of them: the longer one is the larger one. */
export const compareQuantities = (a: Quantity, b: Quantity): number =>
  a.length === b.length ? (a < b ? -1 : a > b ? 1 : 0) : a.length - b.length;

/** Price levels of one side, ascending. Texts stay as they came, since the checksum is of them. */
export class BookSide {
  readonly prices: Quantity[] = [];
  readonly sizes: Quantity[] = [];

  clear(): void {
    this.prices.length = 0;
    this.sizes.length = 0;
  }

  /** @returns whether the level was there before */
  set(price: Quantity, size: Quantity): boolean {
    const at = this.#placeOf(price);
    const isThere = this.prices[at] === price;
    if (isThere) this.sizes[at] = size;
    else {
      this.prices.splice(at, 0, price);
      this.sizes.splice(at, 0, size);
    }
    return isThere;
  }

  /** @returns whether the level was there */
  delete(price: Quantity): boolean {
    const at = this.#placeOf(price);
    if (this.prices[at] !== price) return false;
    this.prices.splice(at, 1);
    this.sizes.splice(at, 1);
    return true;
  }

  /** The first place whose price is not below. */
  #placeOf(price: Quantity): number {
    let [low, high] = [0, this.prices.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareQuantities(this.prices[middle]!, price) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
