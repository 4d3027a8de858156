/**
 * Writes that can be taken back. All of the model's state is written through here, and nowhere else: its types are read-only to everybody else, so that a write
 * that could not be taken back does not compile.
 *
 * A state of thousands of orders would otherwise be copied for every action, only because one of many is refused.
 */
export class Undo {
  readonly #steps: (() => void)[] = [];

  /** A field of an object, or an entry of a record. */
  set<T extends object, K extends keyof T>(of: T, key: K, value: T[K]): void {
    const writable = of as { -readonly [Key in keyof T]: T[Key] };
    const isNew = !Object.hasOwn(of, key);
    const before = of[key];
    this.#steps.push(() => {
      if (isNew) delete (writable as Partial<T>)[key];
      else writable[key] = before;
    });
    writable[key] = value;
  }

  /** Adds to a number. */
  add<K extends string, T extends { readonly [Key in K]: bigint }>(of: T, key: K, amount: bigint): void {
    this.set(of, key, (of[key] + amount) as T[K]);
  }

  /** Counts up. @returns the number that it had */
  next<K extends string, T extends { readonly [Key in K]: number }>(of: T, key: K): number {
    const number: number = of[key];
    this.set(of, key, (number + 1) as T[K]);
    return number;
  }

  /** Takes an entry out of a record. */
  remove<T extends object>(of: T, key: keyof T): void {
    if (!Object.hasOwn(of, key)) return;
    const before = of[key];
    this.#steps.push(() => {
      (of as { -readonly [Key in keyof T]: T[Key] })[key] = before;
    });
    delete (of as Partial<T>)[key];
  }

  /** An entry of a map. */
  put<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key, value: Value): void {
    this.#keep(map, key);
    (map as Map<Key, Value>).set(key, value);
  }

  /** Takes an entry out of a map. Taken back, it stands at the end: nothing may depend on the order of a map. */
  drop<Key, Value>(map: ReadonlyMap<Key, Value>, key: Key): void {
    this.#keep(map, key);
    (map as Map<Key, Value>).delete(key);
  }

  #keep<Key, Value>(of: ReadonlyMap<Key, Value>, key: Key): void {
    const map = of as Map<Key, Value>;
    const isNew = !map.has(key);
    const before = map.get(key) as Value;
    this.#steps.push(() => {
      if (isNew) map.delete(key);
      else map.set(key, before);
    });
  }

  /** The state as it is now, for {@link back}. */
  mark(): number {
    return this.#steps.length;
  }

  /** Takes back all that was written since, the newest first. */
  back(mark: number): void {
    while (this.#steps.length > mark) this.#steps.pop()!();
  }

  /** What was written so far stays. */
  forget(): void {
    this.#steps.length = 0;
  }
}
