import { assert } from './error.ts';

/** A typed array that columns, pools and rings are made of. */
export type NumberArray = Int8Array | Uint8Array | Uint16Array | Int32Array | Uint32Array | Float64Array;

/**
 * A larger copy of a typed array: the same numbers, and zeros behind them.
 *
 * Whoever keeps the array replaces it before a place in it is used: `this.#ids = grown(this.#ids, capacity)`, then `this.#ids[at] = id`. JavaScript evaluates the
 * array of an element assignment before its index and its value, so a call in either that replaces the array writes into the old one: the lint
 * rule `prime/no-stale-element-write` refuses it.
 *
 * @param length elements of the copy
 * @throws InvariantError when that is not more than there are
 */
export function grown<T extends NumberArray>(array: T, length: number): T {
  assert(length > array.length, `${array.length} elements do not grow to ${length}`);
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}
