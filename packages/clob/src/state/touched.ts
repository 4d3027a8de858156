/** What a {@link Touched} holds. */
export interface Touchable {
  /** Round of the list in which the object was noted last; 0 for never. */
  touchedIn: number;
}

/**
 * Objects that the open block changed, each once, in the order in which it first did: a Set that asks the object instead of a table.
 * An object belongs to one such list.
 */
export class Touched<T extends Touchable> implements Iterable<T> {
  readonly #objects: T[] = [];
  #round = 1;

  get size(): number {
    return this.#objects.length;
  }

  add(object: T): void {
    if (object.touchedIn === this.#round) return;
    object.touchedIn = this.#round;
    this.#objects.push(object);
  }

  clear(): void {
    this.#objects.length = 0;
    this.#round++;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.#objects[Symbol.iterator]();
  }
}
