import { compareBytes, grown } from '@prime/primitives';
import { type FirstRoom, usualRoom } from '../book/firstRoom.ts';

/** Bytes that records are copied into side by side; a larger record has a piece of its own. */
const pieceBytes = 1 << 20;
/** Numbers of a record: piece, offset in it, length of the key, length of the value. */
const placeNumbers = 4;

/**
 * The records that a state is restored from, in a few large pieces: a million orders are two million arrays otherwise, and the collector
 * would walk them again and again while the state is built.
 *
 * Records may come in any order and are asked for in that of their keys, in which databases give them.
 */
export class StoredRecords {
  readonly #pieces: Uint8Array[] = [];
  /** Of the latest piece. */
  #used = 0;
  #places: Int32Array;
  #count = 0;
  /** Places in the order of keys; null while records came so. */
  #order: Uint32Array | null = null;
  #isSorted = true;

  constructor(firstRoom: FirstRoom = usualRoom) {
    this.#places = new Int32Array(firstRoom(1024) * placeNumbers);
  }

  get size(): number {
    return this.#count;
  }

  /** Copies the record: what comes over a bus may be a view on a buffer that is used again. */
  add(key: Uint8Array, value: Uint8Array): void {
    const bytes = key.length + value.length;
    let piece = this.#pieces.at(-1);
    if (piece === undefined || this.#used + bytes > piece.length) {
      piece = new Uint8Array(Math.max(pieceBytes, bytes));
      this.#pieces.push(piece);
      this.#used = 0;
    }
    piece.set(key, this.#used);
    piece.set(value, this.#used + key.length);
    const at = this.#count * placeNumbers;
    if (at === this.#places.length) this.#places = grown(this.#places, at * 2);
    this.#places[at] = this.#pieces.length - 1;
    this.#places[at + 1] = this.#used;
    this.#places[at + 2] = key.length;
    this.#places[at + 3] = value.length;
    this.#used += bytes;
    this.#isSorted &&= this.#count === 0 || compareBytes(this.#viewOf(this.#count - 1, false), key) < 0;
    this.#count++;
    this.#order = null;
  }

  /** A view. @param index in the order of keys */
  key(index: number): Uint8Array {
    return this.#viewOf(this.#placeOf(index), false);
  }

  /** A view. @param index in the order of keys */
  value(index: number): Uint8Array {
    return this.#viewOf(this.#placeOf(index), true);
  }

  #placeOf(index: number): number {
    if (this.#isSorted) return index;
    this.#order ??= Uint32Array.from({ length: this.#count }, (_, place) => place).sort((a, b) =>
      compareBytes(this.#viewOf(a, false), this.#viewOf(b, false)),
    );
    return this.#order[index]!;
  }

  #viewOf(place: number, isValue: boolean): Uint8Array {
    const at = place * placeNumbers;
    const places = this.#places;
    const keyEnd = places[at + 1]! + places[at + 2]!;
    const piece = this.#pieces[places[at]!]!;
    return isValue ? piece.subarray(keyEnd, keyEnd + places[at + 3]!) : piece.subarray(places[at + 1], keyEnd);
  }
}
