import type { Hex } from '@prime/primitives';
import { malformedRlp } from './errors.ts';

/**
 * Recursive Length Prefix, the serialization of the Ethereum yellow paper (appendix B), in its one canonical form.
 *
 * Everything that is hashed or signed goes through here, so a value has exactly one encoding and decoding accepts nothing
 * else: `encodeRlp(decodeRlp(bytes))` is `bytes` for all bytes that decode. The encoder measures first and then writes into
 * one buffer; hex strings and numbers are written without intermediate byte arrays.
 */

/** What can be encoded. Numbers are unsigned integers without leading zeros; a string is bytes as 0x-prefixed hex, never text. */
export type RlpValue = Uint8Array | Hex | number | bigint | readonly RlpValue[];
/** What decoding gives: views on the input. */
export type RlpItem = Uint8Array | readonly RlpItem[];

/** Deepest nesting of lists that is decoded; the deepest message of the protocol needs 6. */
export const rlpDepthMax = 16;
/** Most items, lists included, in one decoded message: bounds memory at a small multiple of the input. */
export const rlpItemsMax = 1 << 20;

/** Most bytes of a payload whose length stands in the first byte of its header. */
export const shortPayloadMax = 55;
/** First byte of the empty string; from here on a first byte is a header. */
export const stringBase = 0x80;
/** First byte of the empty list. */
export const listBase = 0xc0;

/** Whether bytes have the header of a list that ends where they end. What is inside is not looked at. */
export function isRlpList(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  if (first < listBase) return false;
  if (first <= listBase + shortPayloadMax) return bytes.length === 1 + first - listBase;
  const lengthBytes = first - listBase - shortPayloadMax;
  let payload = 0;
  for (let at = 1; at <= lengthBytes; at++) payload = payload * 256 + (bytes[at] ?? 0);
  return bytes.length === 1 + lengthBytes + payload;
}

/** @throws RangeError for a negative or unsafe number: a programming mistake, not bad input */
export function encodeRlp(value: RlpValue): Uint8Array {
  const plan: Plan = { listSizes: [], bigints: [] };
  const output = new Uint8Array(measure(value, plan));
  write({ output, offset: 0, listSizes: plan.listSizes, bigints: plan.bigints, nextList: 0, nextBigint: 0 }, value);
  return output;
}

/** What measuring learns and writing needs, in the order in which the value is walked. */
interface Plan {
  readonly listSizes: number[];
  /** Hex digits, even in number, of the bigints that do not fit in a number. */
  readonly bigints: string[];
}

/** Of 32 bits; zero has none. */
const byteLengthOf32 = (value: number): number => (39 - Math.clz32(value)) >> 3;

function byteLengthOf(value: number): number {
  if (value >>> 0 === value) return byteLengthOf32(value);
  if (value < 0 || !Number.isSafeInteger(value))
    throw new RangeError(`RLP number must be an unsigned integer, got ${value}`);
  return 4 + byteLengthOf32(value / 2 ** 32);
}

const headerLength = (payload: number): number => (payload <= shortPayloadMax ? 1 : 1 + byteLengthOf(payload));

function measure(value: RlpValue, plan: Plan): number {
  if (typeof value === 'number') {
    const length = byteLengthOf(value);
    return value < 128 ? 1 : 1 + length;
  }
  if (typeof value === 'bigint') {
    if (value <= 0x1fffffffffffffn) return measure(Number(value), plan);
    const digits = value.toString(16);
    plan.bigints.push(digits.length % 2 === 0 ? digits : `0${digits}`);
    const length = (digits.length + 1) >> 1;
    return headerLength(length) + length;
  }
  if (typeof value === 'string') {
    const length = value.length / 2 - 1;
    return length === 1 && nibble(value, 2) < 8 ? 1 : headerLength(length) + length;
  }
  if (isBytes(value)) return value.length === 1 && value[0]! < 0x80 ? 1 : headerLength(value.length) + value.length;
  const place = plan.listSizes.push(0) - 1;
  let payload = 0;
  for (const item of value) payload += measure(item, plan);
  plan.listSizes[place] = payload;
  return headerLength(payload) + payload;
}

interface Cursor extends Plan {
  readonly output: Uint8Array;
  offset: number;
  nextList: number;
  nextBigint: number;
}

function write(cursor: Cursor, value: RlpValue): void {
  if (typeof value === 'number') writeNumber(cursor, value);
  else if (typeof value === 'bigint') {
    if (value <= 0x1fffffffffffffn) writeNumber(cursor, Number(value));
    else writeHex(cursor, cursor.bigints[cursor.nextBigint++]!, 0);
  } else if (typeof value === 'string') writeHex(cursor, value, 2);
  else if (isBytes(value)) writeBytes(cursor, value);
  else {
    writeHeader(cursor, listBase, cursor.listSizes[cursor.nextList++]!);
    for (const item of value) write(cursor, item);
  }
}

// Array.isArray and not instanceof Uint8Array: bytes may come from another realm (jest, worker threads).
const isBytes = (value: Uint8Array | readonly RlpValue[]): value is Uint8Array => !Array.isArray(value);

/** Header of a list whose items have so many bytes. */
export function listHeader(payload: number): Uint8Array {
  const output = new Uint8Array(headerLength(payload));
  writeHeader({ output, offset: 0 }, listBase, payload);
  return output;
}

function writeHeader(cursor: Pick<Cursor, 'output' | 'offset'>, base: number, payload: number): void {
  if (payload <= shortPayloadMax) {
    cursor.output[cursor.offset++] = base + payload;
    return;
  }
  const length = byteLengthOf(payload);
  cursor.output[cursor.offset++] = base + shortPayloadMax + length;
  writeBigEndian(cursor, payload, length);
}

function writeBigEndian(cursor: Pick<Cursor, 'output' | 'offset'>, value: number, length: number): void {
  if (length > 4) writeBigEndian(cursor, Math.floor(value / 2 ** 32), length - 4);
  const width = Math.min(length, 4);
  for (let index = 0, shift = 8 * (width - 1); index < width; index++, shift -= 8)
    cursor.output[cursor.offset++] = value >>> shift;
}

function writeNumber(cursor: Cursor, value: number): void {
  if (value > 0 && value < 128) cursor.output[cursor.offset++] = value;
  else {
    const length = byteLengthOf(value);
    cursor.output[cursor.offset++] = stringBase + length;
    writeBigEndian(cursor, value, length);
  }
}

function writeBytes(cursor: Cursor, bytes: Uint8Array): void {
  if (bytes.length !== 1 || bytes[0]! >= 0x80) writeHeader(cursor, stringBase, bytes.length);
  cursor.output.set(bytes, cursor.offset);
  cursor.offset += bytes.length;
}

function nibble(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 48 && code <= 57) return code - 48;
  if (code >= 97 && code <= 102) return code - 87;
  throw new RangeError(`RLP string must be lower-case hex, got ${text.slice(0, 80)}`);
}

/** @param start where the digits begin */
function writeHex(cursor: Cursor, text: string, start: number): void {
  const length = (text.length - start) / 2;
  if (length !== 1 || nibble(text, start) >= 8) writeHeader(cursor, stringBase, length);
  const { output } = cursor;
  for (let index = start; index < text.length; index += 2)
    output[cursor.offset++] = (nibble(text, index) << 4) | nibble(text, index + 1);
}

/** @throws CodecError `CODEC_RLP_MALFORMED` unless the bytes are exactly one canonical item within the limits */
export function decodeRlp(bytes: Uint8Array): RlpItem {
  const reader: Reader = { bytes, offset: 0, items: 0 };
  const item = read(reader, bytes.length, 0);
  return reader.offset === bytes.length ? item : malformedRlp('trailing bytes', reader.offset);
}

/** An item of a list with its header, as a view; what is inside of it is not looked at. @throws CodecError `CODEC_RLP_MALFORMED` also when there is no such item */
export function rlpItemAt(list: Uint8Array, index: number): Uint8Array {
  const reader: Reader = { bytes: list, offset: 0, items: 0 };
  const first = list[0] ?? 0;
  if (first < listBase) return malformedRlp('no list', 0);
  const end = payloadLength(reader, first - listBase, list.length) + reader.offset;
  for (let at = 0; reader.offset < end; at++) {
    const start = reader.offset;
    const code = list[start]!;
    if (code < stringBase) reader.offset++;
    else {
      const length = payloadLength(reader, code - (code < listBase ? stringBase : listBase), end);
      reader.offset += length;
    }
    if (at === index) return list.subarray(start, reader.offset);
  }
  return malformedRlp(`no item ${index}`, reader.offset);
}

/** The bytes that an item of a list is, as a view; no other item is decoded. @throws CodecError `CODEC_RLP_MALFORMED` also when the item is a list, or there is none */
export function rlpBytesAt(list: Uint8Array, index: number): Uint8Array {
  const item = rlpItemAt(list, index);
  const first = item[0]!;
  if (first >= listBase) return malformedRlp(`item ${index} is a list`, 0);
  if (first < stringBase) return item;
  return item.subarray(first <= stringBase + shortPayloadMax ? 1 : 1 + first - stringBase - shortPayloadMax);
}

interface Reader {
  readonly bytes: Uint8Array;
  offset: number;
  items: number;
}

function read(reader: Reader, end: number, depth: number): RlpItem {
  const { bytes } = reader;
  const start = reader.offset;
  if (start >= end) return malformedRlp('unexpected end', start);
  if (++reader.items > rlpItemsMax) return malformedRlp(`more than ${rlpItemsMax} items`, start);
  const first = bytes[start]!;
  if (first < stringBase) {
    reader.offset = start + 1;
    return bytes.subarray(start, start + 1);
  }
  if (first < listBase) {
    const length = payloadLength(reader, first - stringBase, end);
    const from = reader.offset;
    if (length === 1 && bytes[from]! < stringBase) return malformedRlp('a byte below 0x80 with a prefix', start);
    reader.offset = from + length;
    return bytes.subarray(from, reader.offset);
  }
  if (depth >= rlpDepthMax) return malformedRlp(`lists nested deeper than ${rlpDepthMax}`, start);
  const listEnd = payloadLength(reader, first - listBase, end) + reader.offset;
  const list: RlpItem[] = [];
  while (reader.offset < listEnd) list.push(read(reader, listEnd, depth + 1));
  return list;
}

/** Moves the reader behind the header and gives the payload's length, which is inside of `end`. */
function payloadLength(reader: Reader, code: number, end: number): number {
  const { bytes, offset: start } = reader;
  let length = code;
  reader.offset = start + 1;
  if (code > shortPayloadMax) {
    const size = code - shortPayloadMax;
    // Six bytes of length are beyond what a buffer can hold, and still exact in a number.
    if (size > 6 || start + 1 + size > end) return malformedRlp('length beyond the end', start);
    if (bytes[start + 1] === 0) return malformedRlp('length with a leading zero', start);
    length = 0;
    for (let index = start + 1; index <= start + size; index++) length = length * 256 + bytes[index]!;
    if (length <= shortPayloadMax) return malformedRlp('long form of a short length', start);
    reader.offset = start + 1 + size;
  }
  return reader.offset + length <= end ? length : malformedRlp('length beyond the end', start);
}
