import { SortedIndex } from './sortedIndex.ts';

/** Ticks that the ladder covers around the best price. */
const windowTicks = 4096;
const wordTicks = 32;
/** Where the greatest key is put when the window moves: most of the room is for worse prices. */
const topPlace = (windowTicks * 3) >> 2;
/** Accesses beside the window before it moves. Moving costs as many steps as the window has levels, so it is paid for by then. */
const missesMax = windowTicks;
/** Beyond it sums of a key and a window are not exact. */
const keyMax = 2 ** 52;

/**
 * Sorted map from whole numbers to small integers with the greatest key at hand: the price levels of one side of a narrow book.
 *
 * A window of ticks around the best price is an array with a bitmap of what is there, so that finding, making and dropping a level
 * is a few loads, and the next best price a few words away. Prices outside, where hardly anybody trades, are in a
 * {@link SortedIndex}. The window follows the best price when enough accesses went beside it: nobody can make it move more
 * cheaply than it costs to reach for those prices. Same results as a SortedIndex, which books of bigints use.
 */
export class TickLadder {
  readonly #far = new SortedIndex<number>();
  /** Far keys above the window. */
  #above = 0;
  /** Smallest key of the window; its place is 0. */
  #base = 0;
  /** Value + 1 by place; 0 where there is none. Empty until the first use: most markets of a long list have no orders. */
  #slots = new Int32Array(0);
  #words = new Int32Array(0);
  #count = 0;
  /** Place of the greatest key in the window; any when the window is empty. */
  #top = 0;
  #misses = 0;
  /** The key of an access beside the window. As an argument it would be made an object before it is known that nobody needs it. */
  readonly #asked = new Float64Array(1);

  get size(): number {
    return this.#count + this.#far.size;
  }

  /** Value of the greatest key; -1 when the map is empty. */
  last(): number {
    if (this.#above === 0 && this.#count > 0) return this.#slots[this.#top]! - 1;
    return this.#far.last();
  }

  /** @returns -1 when the key is absent */
  get(key: number): number {
    const place = key - this.#base;
    if (place >= 0 && place < this.#slots.length) return this.#slots[place | 0]! - 1;
    this.#asked[0] = key;
    return this.#getFar();
  }

  /** @param key absent so far */
  insert(key: number, value: number): void {
    const place = key - this.#base;
    if (place >= 0 && place < this.#slots.length && this.#misses <= missesMax) this.#put(place | 0, value);
    else {
      this.#asked[0] = key;
      this.#insertFar(value);
    }
  }

  /** @param key present */
  remove(key: number): void {
    const place = key - this.#base;
    if (place >= 0 && place < windowTicks) this.#clear(place | 0);
    else {
      this.#asked[0] = key;
      this.#removeFar();
    }
  }

  /** Removes the greatest key; there is one. @returns its value */
  removeLast(): number {
    const value = this.last();
    if (this.#above === 0 && this.#count > 0) this.#clear(this.#top);
    else {
      if (this.#above > 0) this.#above--;
      this.#far.removeLast();
    }
    return value;
  }

  /** Values from the greatest key down, until the visitor says `false`. */
  descend(visit: (value: number, key: number) => boolean): void {
    let goes = true;
    let isBelow = false;
    this.#far.descend((value, key) => {
      if (!isBelow && key < this.#base) {
        isBelow = true;
        goes = this.#descendWindow(visit);
      }
      goes &&= visit(value, key);
      return goes;
    });
    if (goes && !isBelow) this.#descendWindow(visit);
  }

  #descendWindow(visit: (value: number, key: number) => boolean): boolean {
    for (let left = this.#count, place = this.#top; left > 0; left--) {
      if (!visit(this.#slots[place]! - 1, this.#base + place)) return false;
      if (left > 1) place = this.#below(place);
    }
    return true;
  }

  #getFar(): number {
    this.#misses++;
    return this.#far.get(this.#asked[0]!);
  }

  #insertFar(value: number): void {
    const key = this.#asked[0]!;
    if (this.#slots.length === 0 || (this.#misses > missesMax && this.#far.size > 0)) this.#move(key);
    // Nothing is beside the window: there is nothing to move it for.
    else if (this.#misses > missesMax) this.#misses = 0;
    const place = key - this.#base;
    if (place >= 0 && place < windowTicks) this.#put(place | 0, value);
    else {
      if (place >= windowTicks) this.#above++;
      this.#far.insert(key, value);
    }
  }

  #removeFar(): void {
    const key = this.#asked[0]!;
    if (key - this.#base >= windowTicks) this.#above--;
    this.#far.remove(key);
  }

  #clear(place: number): void {
    this.#slots[place] = 0;
    this.#words[place >> 5]! &= ~(1 << (place & 31));
    this.#count--;
    if (place === this.#top && this.#count > 0) this.#top = this.#below(place);
  }

  #put(place: number, value: number): void {
    this.#slots[place] = value + 1;
    this.#words[place >> 5]! |= 1 << (place & 31);
    if (this.#count === 0 || place > this.#top) this.#top = place;
    this.#count++;
  }

  /** The next occupied place below; there is one. */
  #below(place: number): number {
    let word = place >> 5;
    let bits = this.#words[word]! & ((1 << (place & 31)) - 1);
    while (bits === 0) bits = this.#words[--word]!;
    return word * wordTicks + 31 - Math.clz32(bits);
  }

  /** Puts the window where the greatest key is near its top. @param key about to come in */
  #move(key: number): void {
    if (this.#slots.length === 0) {
      this.#slots = new Int32Array(windowTicks);
      this.#words = new Int32Array(windowTicks / wordTicks);
    }
    this.#misses = 0;
    const greatest = Math.max(key, this.#greatest() ?? key);
    if (Math.abs(greatest) > keyMax) return;
    this.#descendWindow((value, held) => {
      this.#far.insert(held, value);
      return true;
    });
    this.#slots.fill(0);
    this.#words.fill(0);
    this.#count = 0;
    this.#above = 0;
    this.#base = greatest - topPlace;
    const entering: (readonly [key: number, value: number])[] = [];
    this.#far.descend((value, held) => held >= this.#base && entering.push([held, value]) > 0);
    for (const [held, value] of entering) {
      this.#far.remove(held);
      this.#put((held - this.#base) | 0, value);
    }
  }

  #greatest(): number | undefined {
    let greatest: number | undefined;
    this.descend((_, key) => {
      greatest = key;
      return false;
    });
    return greatest;
  }
}
