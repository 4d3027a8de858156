import { assert } from '@prime/primitives';
import { invalidField } from '../encoding/errors.ts';

/**
 * Lists of a block as the state database keeps them: one value per block, of which a reader takes single items without decoding
 * the others, and short lists of numbers.
 */

const wordBytes = 4;

const wordAt = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!) >>> 0;

function putWord(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

/** count (4 bytes) | end of each item, counted from the first item's start (4 bytes each) | items */
export function encodeFrames(items: readonly Uint8Array[]): Uint8Array {
  const start = wordBytes * (items.length + 1);
  const bytes = new Uint8Array(items.reduce((length, item) => length + item.length, start));
  putWord(bytes, 0, items.length);
  let end = 0;
  items.forEach((item, index) => {
    bytes.set(item, start + end);
    end += item.length;
    putWord(bytes, wordBytes * (index + 1), end);
  });
  return bytes;
}

/** {@link encodeFrames} of items that stand one behind the other already. @param ends of each item, counted from the first one's start */
export function framesOf(payload: Uint8Array, ends: ArrayLike<number>): Uint8Array {
  const start = wordBytes * (ends.length + 1);
  const bytes = new Uint8Array(start + payload.length);
  putWord(bytes, 0, ends.length);
  for (let index = 0; index < ends.length; index++) putWord(bytes, wordBytes * (index + 1), ends[index]!);
  bytes.set(payload, start);
  return bytes;
}

/** Items of {@link encodeFrames}. @throws CodecError `CODEC_FIELD_INVALID` when the bytes are no such list */
export function frameCount(bytes: Uint8Array): number {
  const count = bytes.length < wordBytes ? -1 : wordAt(bytes, 0);
  const start = wordBytes * (count + 1);
  const end = count > 0 && start <= bytes.length ? wordAt(bytes, wordBytes * count) : 0;
  return count >= 0 && start + end === bytes.length ? count : invalidField('frames', `${bytes.length} bytes`);
}

/** Where each item ends, counted from the begin of the bytes. @throws CodecError `CODEC_FIELD_INVALID` */
export function frameEnds(bytes: Uint8Array): number[] {
  const count = frameCount(bytes);
  const start = framesStart(count);
  const ends = Array<number>(count);
  for (let index = 0; index < count; index++) ends[index] = start + wordAt(bytes, wordBytes * (index + 1));
  return ends;
}

/** Where the first of so many items begins. */
export const framesStart = (count: number): number => wordBytes * (count + 1);

/** A view on all items, one behind the other. @throws CodecError `CODEC_FIELD_INVALID` */
export const framesPayload = (bytes: Uint8Array): Uint8Array => bytes.subarray(wordBytes * (frameCount(bytes) + 1));

/** A view on one item. @param index below {@link frameCount} @throws CodecError `CODEC_FIELD_INVALID` */
export function frameAt(bytes: Uint8Array, index: number): Uint8Array {
  const count = frameCount(bytes);
  assert(index >= 0 && index < count, `item ${index} of a list of ${count}`);
  const start = wordBytes * (count + 1);
  const from = index === 0 ? 0 : wordAt(bytes, wordBytes * index);
  const end = wordAt(bytes, wordBytes * (index + 1));
  if (from > end || start + end > bytes.length) return invalidField('frames', `item ${index} ends before it begins`);
  return bytes.subarray(start + from, start + end);
}

/** Views on all items, in order. @throws CodecError `CODEC_FIELD_INVALID` */
export function framesIn(bytes: Uint8Array): Uint8Array[] {
  const ends = frameEnds(bytes);
  return ends.map((end, index) => bytes.subarray(index === 0 ? framesStart(ends.length) : ends[index - 1], end));
}

/** Whole numbers, each in groups of seven bits, the lowest first; all groups of a number but its last have the high bit. */
export function encodeNumbers(numbers: readonly number[]): Uint8Array {
  const bytes: number[] = [];
  for (const number of numbers) {
    assert(number >= 0, 'a number below 0');
    let remaining = number;
    for (; remaining >= 0x80; remaining = Math.floor(remaining / 0x80)) bytes.push((remaining % 0x80) + 0x80);
    bytes.push(remaining);
  }
  return Uint8Array.from(bytes);
}

/** Inverse of {@link encodeNumbers}. @throws CodecError `CODEC_FIELD_INVALID` */
export function decodeNumbers(bytes: Uint8Array): number[] {
  const numbers: number[] = [];
  for (let offset = 0; offset < bytes.length; offset++) {
    let number = 0;
    let scale = 1;
    while (bytes[offset]! >= 0x80) {
      number += (bytes[offset]! - 0x80) * scale;
      scale *= 0x80;
      offset++;
      if (offset === bytes.length || scale > 2 ** 32) return invalidField('numbers', 'cut short or too large');
    }
    numbers.push(number + bytes[offset]! * scale);
  }
  return numbers;
}
