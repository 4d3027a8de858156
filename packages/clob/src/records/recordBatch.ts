import { isRlpList, orderRecordKey, type RecordWrite, RlpBackwards, setOrderRecordKey } from '@prime/codec';
import { assert, bytesToHex, grown, type OrderId } from '@prime/primitives';

import { type FirstRoom, usualRoom } from '../book/firstRoom.ts';

/** Room for a key, bytes; the longest has 41. */
export const keyBytesMax = 48;

/**
 * The leaves of the orders root that a block changes, written into one buffer in the form in which they are hashed:
 *
 *   00 | key length, 1 byte | key | value
 *
 * so that neither hashing nor handing them on copies a record, and a block of thousands of records makes no garbage of its own.
 * Leaves are records, but for pages of orders, in which the records of orders stand.
 * Whoever fills a batch writes a value with {@link writer} and calls {@link put}, in ascending order of keys. A batch is used again for
 * the next block ({@link reset}).
 */
export class RecordBatch {
  /** Keys come and go with the bytes that are written here. */
  readonly writer: RlpBackwards;
  count = 0;
  /** Key of record n from n * {@link keyBytesMax} on. */
  keys: Uint8Array;
  keyLengths: Uint8Array;
  /** Whether the trie says that a leaf changed something. */
  effective: Uint8Array;
  #places: Float64Array;
  /** Bytes; {@link removed} for a record that is taken out. */
  #valueLengths: Int32Array;
  /** Number of {@link #orderIds} up to and with those of a page; 0 for a leaf that is a record itself. */
  #orderEnds: Float64Array;
  /** Changed orders, page by page, in each from the last to the first. */
  #orderCount = 0;
  #orderIds: Float64Array;
  #orderPlaces: Float64Array;
  /** Bytes, or {@link removed}. */
  #orderLengths: Int32Array;

  constructor(firstRoom: FirstRoom = usualRoom) {
    this.writer = new RlpBackwards(firstRoom(4096));
    const leaves = firstRoom(64);
    this.keys = new Uint8Array(leaves * keyBytesMax);
    this.keyLengths = new Uint8Array(leaves);
    this.effective = new Uint8Array(leaves);
    this.#places = new Float64Array(leaves);
    this.#valueLengths = new Int32Array(leaves);
    this.#orderEnds = new Float64Array(leaves);
    const orders = firstRoom(64);
    this.#orderIds = new Float64Array(orders);
    this.#orderPlaces = new Float64Array(orders);
    this.#orderLengths = new Int32Array(orders);
  }

  /** Empties the batch, and keeps its room. */
  reset(): void {
    this.writer.reset();
    this.effective.fill(0, 0, this.count);
    this.#orderEnds.fill(0, 0, this.count);
    this.count = 0;
    this.#orderCount = 0;
  }

  /** Ends a record whose value was written since a place. @param from {@link RlpBackwards.length} before the value */
  put(key: Uint8Array, from: number): void {
    this.#putSlot(this.#takeKey(key), from);
  }

  remove(key: Uint8Array): void {
    const at = this.#takeKey(key);
    this.#valueLengths[at] = removed;
  }

  /** Notes an order that changed, whose record was written since a place of the page that is being written. */
  noteOrder(id: number, from: number): void {
    const at = this.#takeOrder(id);
    this.#orderPlaces[at] = this.writer.length;
    this.#orderLengths[at] = this.writer.length - from;
  }

  /** Notes an order of the page that is being written, that is gone. */
  dropOrder(id: number): void {
    const at = this.#takeOrder(id);
    this.#orderLengths[at] = removed;
  }

  /** Ends a page of orders, see orderPages.ts of the codec. @param from place before it; an empty page is removed */
  putPage(page: number, from: number): void {
    const index = this.#take();
    this.keyLengths[index] = setOrderRecordKey(this.keys, index * keyBytesMax, page as OrderId);
    this.#orderEnds[index] = this.#orderCount;
    if (this.writer.length === from) this.#valueLengths[index] = removed;
    else {
      this.writer.list(from);
      this.#putSlot(index, from);
    }
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

  /** The records that changed something, in the order of their keys, as views on a copy. @throws InvariantError for one that nobody could read again */
  effectiveWrites(): RecordWrite[] {
    const writes: RecordWrite[] = [];
    const keys = this.keys.slice(0, this.count * keyBytesMax);
    const { length } = this.writer;
    const bytes = this.writer.view(length, length).slice();
    let orders = 0;
    for (let index = 0; index < this.count; index++) {
      const ordersEnd = this.#orderEnds[index]!;
      if (ordersEnd > 0) {
        for (let at = ordersEnd - 1; at >= orders; at--) writes.push(this.#orderWrite(at, bytes));
        orders = ordersEnd;
        continue;
      }
      if (this.effective[index] === 0) continue;
      const at = index * keyBytesMax;
      const keyLength = this.keyLengths[index]!;
      const from = length - this.#places[index]! + 2 + keyLength;
      const value = this.isRemoved(index) ? null : bytes.subarray(from, from + this.#valueLengths[index]!);
      writes.push(checked({ key: keys.subarray(at, at + keyLength), value }));
    }
    return writes;
  }

  #orderWrite(at: number, bytes: Uint8Array): RecordWrite {
    const key = orderRecordKey(this.#orderIds[at]! as OrderId);
    const valueLength = this.#orderLengths[at]!;
    if (valueLength === removed) return { key, value: null };
    const from = bytes.length - this.#orderPlaces[at]!;
    return checked({ key, value: bytes.subarray(from, from + valueLength) });
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

  #takeOrder(id: number): number {
    const at = this.#orderCount++;
    if (at === this.#orderIds.length) {
      this.#orderIds = grown(this.#orderIds, at * 2);
      this.#orderPlaces = grown(this.#orderPlaces, at * 2);
      this.#orderLengths = grown(this.#orderLengths, at * 2);
    }
    this.#orderIds[at] = id;
    return at;
  }

  #take(): number {
    if (this.count === this.keyLengths.length) this.#grow(this.count * 2);
    return this.count++;
  }

  #grow(capacity: number): void {
    this.keys = grown(this.keys, capacity * keyBytesMax);
    this.keyLengths = grown(this.keyLengths, capacity);
    this.effective = grown(this.effective, capacity);
    this.#places = grown(this.#places, capacity);
    this.#valueLengths = grown(this.#valueLengths, capacity);
    this.#orderEnds = grown(this.#orderEnds, capacity);
  }
}

const removed = -1;

/** A write that can be read again: an empty or torn record in the state would stop each start of the node from then on. */
function checked(write: RecordWrite): RecordWrite {
  const { key, value } = write;
  assert(value === null || isRlpList(value), `the record ${bytesToHex(key)} is no list of ${value?.length} bytes`);
  return write;
}
