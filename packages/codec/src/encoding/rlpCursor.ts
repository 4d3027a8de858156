import { bytesToHex, type Hex } from '@prime/primitives';
import { malformedRlp } from './errors.ts';
import { listBase, shortPayloadMax, stringBase } from './rlp.ts';

/**
 * Goes over encoded items from front to back, and makes nothing of those that it passes by: a view for each item of a record, as decodeRlp makes them, costs
 * more than reading the record.
 *
 * For bytes that this program encoded. What it reads is inside of the bytes; whether they are canonical is not checked.
 */
export class RlpCursor {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** Place of the next item. */
  get at(): number {
    return this.#at;
  }

  /** @param at where an item begins */
  moveTo(at: number): void {
    this.#at = at;
  }

  /** Goes into a list. @returns where it ends @throws CodecError `CODEC_RLP_MALFORMED` */
  list(): number {
    const first = this.#first();
    if (first < listBase) return malformedRlp('no list', this.#at);
    return this.#payload(first - listBase) + this.#at;
  }

  /** @throws CodecError `CODEC_RLP_MALFORMED` */
  skip(count = 1): void {
    for (let remaining = count; remaining > 0; remaining--) {
      const first = this.#first();
      if (first < stringBase) this.#at++;
      else this.#at = this.#payload(first - (first < listBase ? stringBase : listBase)) + this.#at;
    }
  }

  /** Goes over the next item. @returns the place behind it @throws CodecError `CODEC_RLP_MALFORMED` */
  behind(): number {
    this.skip();
    return this.#at;
  }

  /** Goes over a byte string where it is the given one. @returns whether it is; if not, the place is as before */
  skipBytes(expected: Uint8Array): boolean {
    const start = this.#at + 1;
    // One byte below 0x80 has no header, and a long string another one.
    if (expected.length < 2 || expected.length > shortPayloadMax) return false;
    if (this.#bytes[this.#at] !== stringBase + expected.length) return false;
    for (let index = 0; index < expected.length; index++)
      if (this.#bytes[start + index] !== expected[index]) return false;
    this.#at = start + expected.length;
    return true;
  }

  /** A view on a byte string. @throws CodecError `CODEC_RLP_MALFORMED` */
  bytes(): Uint8Array {
    const first = this.#first();
    const end = first < stringBase ? this.#at + 1 : this.#stringEnd(first);
    const view = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return view;
  }

  /** An integer, exact up to 2^53 - 1. @throws CodecError `CODEC_RLP_MALFORMED` */
  number(): number {
    const first = this.#first();
    if (first < stringBase) return this.#bytes[this.#at++]!;
    const end = this.#stringEnd(first);
    if (end - this.#at > 7) return malformedRlp('an integer of more than 7 bytes', this.#at);
    let value = 0;
    while (this.#at < end) value = value * 256 + this.#bytes[this.#at++]!;
    return value;
  }

  /** @throws CodecError `CODEC_RLP_MALFORMED` */
  bigint(): bigint {
    const start = this.#at;
    const first = this.#first();
    const length = first < stringBase ? 1 : this.#stringEnd(first) - this.#at;
    if (length > 6) return BigInt(this.#hexOf(length));
    this.#at = start;
    return BigInt(this.number());
  }

  /** A byte string of 2 bytes at least, or of none: then the hex is "0x". @throws CodecError `CODEC_RLP_MALFORMED` */
  hex(): Hex {
    return this.#hexOf(this.#stringEnd(this.#first()) - this.#at);
  }

  #hexOf(length: number): Hex {
    const at = this.#at;
    this.#at += length;
    return bytesToHex(this.#bytes.subarray(at, this.#at));
  }

  #first(): number {
    return this.#bytes[this.#at] ?? malformedRlp('unexpected end', this.#at);
  }

  /** Goes behind the header of a string. @returns where the string ends */
  #stringEnd(first: number): number {
    if (first < stringBase || first >= listBase) return malformedRlp('no string with a header', this.#at);
    return this.#payload(first - stringBase) + this.#at;
  }

  /** Goes behind a header: the place is another one after the call. @param code of it, without the base @returns length of what it tells */
  #payload(code: number): number {
    const start = this.#at++;
    let length = code;
    if (code > shortPayloadMax) {
      length = 0;
      for (let remaining = code - shortPayloadMax; remaining > 0; remaining--)
        length = length * 256 + (this.#bytes[this.#at++] ?? 0);
    }
    return this.#at + length <= this.#bytes.length ? length : malformedRlp('length beyond the end', start);
  }
}
