const chunkKeysMax = 256;

interface Chunk<Key> {
  readonly keys: Key[];
  readonly values: number[];
}

/**
 * Sorted map from keys to small integers, for price levels and expiry times.
 *
 * Keys stand in ascending order in chunks of bounded length. So an insertion anywhere moves at most one chunk, also in a
 * book that somebody filled with a million levels. The end of the map is the hot end: books are keyed so that the best price
 * is the greatest key. A sorted array without chunks was as fast at a thousand levels and 8 MB of moves at a million; a tree
 * of nodes loses to it on small books.
 *
 * The same code serves numbers and bigints: it only compares.
 */
export class SortedIndex<Key extends number | bigint> {
  readonly #chunks: Chunk<Key>[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Value of the greatest key; -1 when the map is empty. */
  last(): number {
    const chunk = this.#chunks[this.#chunks.length - 1];
    return chunk === undefined ? -1 : chunk.values[chunk.values.length - 1]!;
  }

  /** @returns -1 when the key is absent */
  get(key: Key): number {
    const chunk = this.#chunks[this.#chunkOf(key)];
    if (chunk === undefined) return -1;
    const index = lowerBound(chunk.keys, key);
    return index < chunk.keys.length && chunk.keys[index] === key ? chunk.values[index]! : -1;
  }

  /** @param key absent so far */
  insert(key: Key, value: number): void {
    this.#size++;
    const place = Math.min(this.#chunkOf(key), this.#chunks.length - 1);
    if (place < 0) {
      this.#chunks.push({ keys: [key], values: [value] });
      return;
    }
    const { keys, values } = this.#chunks[place]!;
    const index = lowerBound(keys, key);
    if (index === keys.length) {
      keys.push(key);
      values.push(value);
    } else {
      keys.splice(index, 0, key);
      values.splice(index, 0, value);
    }
    if (keys.length <= chunkKeysMax) return;
    const half = keys.length >> 1;
    this.#chunks.splice(place + 1, 0, { keys: keys.splice(half), values: values.splice(half) });
  }

  /** @param key present */
  remove(key: Key): void {
    this.#size--;
    const place = this.#chunkOf(key);
    const { keys, values } = this.#chunks[place]!;
    const index = lowerBound(keys, key);
    if (index === keys.length - 1) {
      keys.pop();
      values.pop();
    } else {
      keys.splice(index, 1);
      values.splice(index, 1);
    }
    if (keys.length === 0) this.#chunks.splice(place, 1);
  }

  /** Removes the greatest key; there is one. @returns its value */
  removeLast(): number {
    this.#size--;
    const { keys, values } = this.#chunks[this.#chunks.length - 1]!;
    keys.pop();
    const value = values.pop()!;
    if (keys.length === 0) this.#chunks.pop();
    return value;
  }

  /** Values from the greatest key down, until the visitor says `false`. */
  descend(visit: (value: number, key: Key) => boolean): void {
    for (let place = this.#chunks.length - 1; place >= 0; place--) {
      const { keys, values } = this.#chunks[place]!;
      for (let index = keys.length - 1; index >= 0; index--) if (!visit(values[index]!, keys[index]!)) return;
    }
  }

  /** First chunk whose greatest key is not below the key; the number of chunks when there is none. */
  #chunkOf(key: Key): number {
    let low = 0;
    let high = this.#chunks.length;
    // Most accesses are at the hot end.
    if (high > 1) {
      const { keys } = this.#chunks[high - 2]!;
      if (keys[keys.length - 1]! < key) low = high - 1;
    }
    while (low < high) {
      const middle = (low + high) >> 1;
      const { keys } = this.#chunks[middle]!;
      if (keys[keys.length - 1]! < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound<Key extends number | bigint>(keys: readonly Key[], key: Key): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Earliest expiry is the greatest key; ties go to the older order. */
export const expiryKey = (expiresAt: number, id: number): bigint => -((BigInt(expiresAt) << 64n) | BigInt(id));
