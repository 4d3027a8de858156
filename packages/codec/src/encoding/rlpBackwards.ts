import type { Hex } from '@prime/primitives';
import { listBase, shortPayloadMax, stringBase } from './rlp.ts';

/**
 * RLP written from its end to its beginning, many messages into one buffer.
 *
 * A list's header tells how long its items are, so whoever writes forwards has to measure first, or to build the items as values.
 * Written backwards, the length is known when the header's turn comes: one walk, and nothing is made on the way. What is written
 * is the same as by {@link encodeRlp}; fields come in reverse order, last first.
 *
 * Places are distances from the end of the buffer, because it grows at its front.
 */
export class RlpBackwards {
  #bytes: Uint8Array;
  /** First written byte; everything behind it is written. */
  #start: number;

  /** @param capacity bytes to begin with */
  constructor(capacity = 4096) {
    this.#bytes = new Uint8Array(capacity);
    this.#start = capacity;
  }

  /** Bytes written so far, which is the place of the latest one. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  /** Forgets what was written, and keeps the room. */
  reset(): void {
    this.#start = this.#bytes.length;
  }

  /** View on what stands from a place on. @param place as {@link length} was @param count bytes behind it */
  view(place: number, count: number): Uint8Array {
    const from = this.#bytes.length - place;
    return this.#bytes.subarray(from, from + count);
  }

  /** Byte at a place: 1 is the last one of the buffer. */
  at(place: number): number {
    return this.#bytes[this.#bytes.length - place]!;
  }

  /** One byte as it is, without a header. */
  byte(value: number): void {
    if (this.#start === 0) this.#grow(1);
    this.#bytes[--this.#start] = value;
  }

  /** Bytes as they are, without a header. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#start -= bytes.length;
    this.#bytes.set(bytes, this.#start);
  }

  /** The lowest `width` bytes of a number, big-endian, without a header. */
  fixed(value: number, width: number): void {
    this.#reserve(width);
    const bytes = this.#bytes;
    let start = this.#start;
    let remaining = value;
    for (let count = 0; count < width; count++) {
      bytes[--start] = remaining % 256;
      remaining = Math.floor(remaining / 256);
    }
    this.#start = start;
  }

  /** @param value safe integer, >= 0 */
  number(value: number): void {
    this.#reserve(9);
    const bytes = this.#bytes;
    let start = this.#start;
    if (value > 0 && value < 128) bytes[--start] = value;
    else {
      const end = start;
      let remaining = value;
      // Where bit operations are exact they are several times faster than divisions.
      while (remaining > 0x7fffffff) {
        bytes[--start] = remaining % 256;
        remaining = Math.floor(remaining / 256);
      }
      while (remaining > 0) {
        bytes[--start] = remaining;
        remaining >>= 8;
      }
      const length = end - start;
      bytes[--start] = stringBase + length;
    }
    this.#start = start;
  }

  /** @param value >= 0, below 2^440 */
  bigint(value: bigint): void {
    if (value <= maxSafe) {
      this.number(Number(value));
      return;
    }
    const end = this.length;
    let remaining = value;
    while (remaining > maxSafe) {
      this.fixed(Number(BigInt.asUintN(48, remaining)), 6);
      remaining >>= 48n;
    }
    for (let low = Number(remaining); low > 0; low = Math.floor(low / 256)) this.byte(low % 256);
    this.byte(stringBase + this.length - end);
  }

  /** @param value >= 0; a safe integer, or below 2^440 */
  quantity(value: number | bigint): void {
    if (typeof value === 'number') this.number(value);
    else this.bigint(value);
  }

  /** Integer with a sign, as the codec's signedQuantity folds it. */
  signed(value: number | bigint): void {
    if (typeof value === 'number' && Math.abs(value) <= foldedMax)
      return this.number(value >= 0 ? value * 2 : -value * 2 - 1);
    const exact = BigInt(value);
    this.bigint(exact >= 0n ? exact * 2n : -exact * 2n - 1n);
  }

  /** @param bytes 2 to 55 of them */
  shortString(bytes: Uint8Array): void {
    this.raw(bytes);
    this.byte(stringBase + bytes.length);
  }

  /** @param text 2 to 55 ASCII characters */
  ascii(text: string): void {
    const { length } = text;
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    let start = this.#start;
    for (let index = length - 1; index >= 0; index--) bytes[--start] = text.charCodeAt(index);
    bytes[--start] = stringBase + length;
    this.#start = start;
  }

  /** @param text lower-case hex of 2 to 55 bytes, or of none */
  hex(text: Hex): void {
    const length = (text.length >> 1) - 1;
    this.#reserve(length + 1);
    const bytes = this.#bytes;
    let start = this.#start;
    for (let index = text.length - 1; index > 1; index -= 2)
      bytes[--start] = nibble(text.charCodeAt(index - 1)) * 16 + nibble(text.charCodeAt(index));
    bytes[--start] = stringBase + length;
    this.#start = start;
  }

  /** Header of a list of everything behind a place. @param place {@link length} before the list's last item */
  list(place: number): void {
    const payload = this.length - place;
    if (payload <= shortPayloadMax) this.byte(listBase + payload);
    else {
      const payloadPlace = this.length;
      for (let remaining = payload; remaining > 0; remaining = Math.floor(remaining / 256)) this.byte(remaining % 256);
      this.byte(listBase + shortPayloadMax + this.length - payloadPlace);
    }
  }

  #reserve(count: number): void {
    if (this.#start < count) this.#grow(count);
  }

  #grow(count: number): void {
    const used = this.length;
    const bytes = new Uint8Array(Math.max(this.#bytes.length * 2, used + count));
    bytes.set(this.#bytes.subarray(this.#start), bytes.length - used);
    this.#bytes = bytes;
    this.#start = bytes.length - used;
  }
}

/** Numbers that are exact when they are folded. */
const foldedMax = 2 ** 51;
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const nibble = (code: number): number => (code < 58 ? code - 48 : code - 87);
