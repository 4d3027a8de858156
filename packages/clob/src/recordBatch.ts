import { type OrderId, assert } from '@prime/primitives';
import { type RecordWrite, RlpBackwards, setOrderRecordKey } from '@prime/codec';

/** Room for a key, bytes; the longest has 41. */
export const keyBytesMax = 48;

/**
 * The records that a block changes, written into one buffer in the form in which they are hashed:
 *
 *   00 | key length, 1 byte | key | value
 *
 * so that neither hashing nor handing them on copies a record, and a block of thousands of records makes no garbage of its own.
 * Whoever fills a batch writes a value with {@link writer} and calls {@link put}, in ascending order of keys. A batch is used again for
 * the next block ({@link reset}).
 */
export class RecordBatch {
  /** Keys come and go with the bytes that are written here. */
  readonly writer: RlpBackwards;
  count = 0;
  /** Key of record n from n * {@link keyBytesMax} on. */
  keys = new Uint8Array(64 * keyBytesMax);
  keyLengths = new Uint8Array(64);
  /** Whether the trie says that a record changed something. */
  effective = new Uint8Array(64);
  #places = new Float64Array(64);
  /** Bytes; {@link removed} for a record that is taken out. */
  #valueLengths = new Int32Array(64);

  /** @param capacity bytes to begin with */
  constructor(capacity = 4096) {
    this.writer = new RlpBackwards(capacity);
  }

  /** Empties the batch, and keeps its room. */
  reset(): void {
    this.writer.reset();
    this.effective.fill(0, 0, this.count);
    this.count = 0;
  }

  /** Ends a record whose value was written since a place. @param from {@link RlpBackwards.length} before the value */
  put(key: Uint8Array, from: number): void {
    this.#putSlot(this.#takeKey(key), from);
  }

  remove(key: Uint8Array): void {
    this.#valueLengths[this.#takeKey(key)] = removed;
  }

  /** {@link put} of an order. */
  putOrder(id: OrderId, from: number): void {
    this.#putSlot(this.#takeOrderKey(id), from);
  }

  /** {@link remove} of an order. */
  removeOrder(id: OrderId): void {
    this.#valueLengths[this.#takeOrderKey(id)] = removed;
  }

  /** A record whose value was encoded elsewhere. */
  add({ key, value }: RecordWrite): void {
    if (value === null) this.remove(key);
    else {
      const from = this.writer.length;
      this.writer.raw(value);
      this.put(key, from);
    }
  }

  isRemoved(index: number): boolean {
    return this.#valueLengths[index] === removed;
  }

  /** What the hash of the record as a leaf is taken of; a view. */
  preimage(index: number): Uint8Array {
    return this.writer.view(this.#places[index]!, 2 + this.keyLengths[index]! + this.#valueLengths[index]!);
  }

  /** The records that changed something, as views on a copy. */
  effectiveWrites(): RecordWrite[] {
    const writes: RecordWrite[] = [];
    const keys = this.keys.slice(0, this.count * keyBytesMax);
    const { length } = this.writer;
    const bytes = this.writer.view(length, length).slice();
    for (let index = 0; index < this.count; index++) {
      if (this.effective[index] === 0) continue;
      const at = index * keyBytesMax;
      const keyLength = this.keyLengths[index]!;
      const key = keys.subarray(at, at + keyLength);
      if (this.isRemoved(index)) {
        writes.push({ key, value: null });
        continue;
      }
      const from = length - this.#places[index]! + 2 + keyLength;
      writes.push({ key, value: bytes.subarray(from, from + this.#valueLengths[index]!) });
    }
    return writes;
  }

  #putSlot(index: number, from: number): void {
    const { writer } = this;
    const at = index * keyBytesMax;
    this.#valueLengths[index] = writer.length - from;
    const length = this.keyLengths[index]!;
    for (let byte = length - 1; byte >= 0; byte--) writer.byte(this.keys[at + byte]!);
    writer.byte(length);
    writer.byte(0);
    this.#places[index] = writer.length;
  }

  #takeKey(key: Uint8Array): number {
    assert(key.length <= keyBytesMax, `a record's key has ${key.length} bytes`);
    const index = this.#take();
    this.keys.set(key, index * keyBytesMax);
    this.keyLengths[index] = key.length;
    return index;
  }

  #takeOrderKey(id: OrderId): number {
    const index = this.#take();
    this.keyLengths[index] = setOrderRecordKey(this.keys, index * keyBytesMax, id);
    return index;
  }

  #take(): number {
    if (this.count === this.keyLengths.length) this.#grow(this.count * 2);
    return this.count++;
  }

  #grow(capacity: number): void {
    this.keys = copied(this.keys, new Uint8Array(capacity * keyBytesMax));
    this.keyLengths = copied(this.keyLengths, new Uint8Array(capacity));
    this.effective = new Uint8Array(capacity);
    this.#places = copied(this.#places, new Float64Array(capacity));
    this.#valueLengths = copied(this.#valueLengths, new Int32Array(capacity));
  }
}

const removed = -1;

function copied<T extends { set(from: T): void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
