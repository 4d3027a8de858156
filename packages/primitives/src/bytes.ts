import type { Address, Hash, Hex } from './brand.ts';
import { PrimeError } from './error.ts';

const digits = '0123456789abcdef';
const byteToHex: readonly string[] = Array.from({ length: 256 }, (_, byte) => digits[byte >> 4]! + digits[byte & 15]!);
const digitCodes = Uint8Array.from(digits, (digit) => digit.charCodeAt(0));
const nibbleOf = new Int8Array(128).fill(-1);
for (let index = 0; index < 16; index++) {
  nibbleOf[digits.charCodeAt(index)] = index;
  nibbleOf[digits.toUpperCase().charCodeAt(index)] = index;
}

/** `value` is what was given, cut to 80 characters; `expected` says in words what is allowed. */
export type HexErrorDetail =
  /** Not a string of 0x and hex digits, or of the wrong length. */
  { readonly code: 'HEX_MALFORMED'; readonly value: string; readonly expected: string };
/** Hex or bytes from outside that have the wrong form or length. */
export class HexError extends PrimeError<HexErrorDetail> {}

const clip = (value: string): string => (value.length > 80 ? `${value.slice(0, 77)}...` : value);
function malformed(value: unknown, expected: string): never {
  const shown = clip(String(value));
  throw new HexError(`expected ${expected}, got ${shown}`, { code: 'HEX_MALFORMED', value: shown, expected });
}

/** Longest input that is made into text at once, bytes; beyond it a call would have too many arguments. */
const hexAtOnceMax = 128;
/** Begins with 0x. */
const hexScratch = Uint8Array.of(48, 120, ...new Uint8Array(2 * hexAtOnceMax));

/** Bytes as 0x-prefixed lower-case hex. */
export function bytesToHex(bytes: Uint8Array): Hex {
  if (bytes.length <= hexAtOnceMax) return hexAtOnce(bytes);
  let text = '0x';
  for (let index = 0; index < bytes.length; index++) text += byteToHex[bytes[index]!];
  return text as Hex;
}

/** Text of the first bytes of {@link hexScratch}. Node.js makes it in a third of the time that the language alone takes. */
const scratchText: (length: number) => string = ((): ((length: number) => string) => {
  const { Buffer } = globalThis as { readonly Buffer?: NodeBuffers };
  if (Buffer === undefined)
    return (length) => String.fromCharCode.apply(null, hexScratch.subarray(0, length) as unknown as number[]);
  const scratch = Buffer.from(hexScratch.buffer);
  return (length) => scratch.toString('latin1', 0, length);
})();

/** What is used of the global `Buffer`, which browsers have not. */
interface NodeBuffers {
  from(memory: ArrayBufferLike): { toString(encoding: 'latin1', start: number, end: number): string };
}

/** One flat string: piece by piece each digit pair leaves a string of its own behind, a kilobyte for each hash. */
function hexAtOnce(bytes: Uint8Array): Hex {
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    hexScratch[2 * index + 2] = digitCodes[byte >> 4]!;
    hexScratch[2 * index + 3] = digitCodes[byte & 15]!;
  }
  return scratchText(2 * bytes.length + 2) as Hex;
}

/**
 * Parses 0x-prefixed hex of either case.
 *
 * @param byteLength when given, the exact number of bytes
 * @throws HexError `HEX_MALFORMED`
 */
export function hexToBytes(hex: string, byteLength?: number): Uint8Array {
  const expected =
    byteLength === undefined ? '0x and an even number of hex digits' : `0x and ${byteLength * 2} hex digits`;
  if (typeof hex !== 'string' || hex.charCodeAt(0) !== 48 || hex.charCodeAt(1) !== 120 || hex.length % 2 !== 0)
    return malformed(hex, expected);
  const bytes = new Uint8Array(hex.length / 2 - 1);
  if (byteLength !== undefined && bytes.length !== byteLength) return malformed(hex, expected);
  for (let index = 0; index < bytes.length; index++) {
    const high = nibbleOf[hex.charCodeAt(2 * index + 2)] ?? -1;
    const low = nibbleOf[hex.charCodeAt(2 * index + 3)] ?? -1;
    if (high < 0 || low < 0) return malformed(hex, expected);
    bytes[index] = (high << 4) | low;
  }
  return bytes;
}

const hexPattern = /^0x(?:[0-9a-fA-F]{2})*$/;
/** @throws HexError `HEX_MALFORMED` */
export const parseHex = (value: string): Hex =>
  hexPattern.test(value) ? (value.toLowerCase() as Hex) : malformed(value, '0x and an even number of hex digits');
/** @throws HexError `HEX_MALFORMED` unless 20 bytes; case (an EIP-55 checksum) is not checked. */
export const parseAddress = (value: string): Address =>
  value.length === 42 && hexPattern.test(value)
    ? (value.toLowerCase() as Address)
    : malformed(value, '0x and 40 hex digits');
/** Nobody has its key: what goes there is lost, and who names it mostly forgot to name somebody. */
export const zeroAddress = `0x${'0'.repeat(40)}` as Address;

/** @throws HexError `HEX_MALFORMED` unless 32 bytes */
export const parseHash = (value: string): Hash =>
  value.length === 66 && hexPattern.test(value)
    ? (value.toLowerCase() as Hash)
    : malformed(value, '0x and 64 hex digits');

/** @throws HexError `HEX_MALFORMED` unless 20 bytes */
export const bytesToAddress = (bytes: Uint8Array): Address =>
  bytes.length === 20 ? (bytesToHex(bytes) as Address) : malformed(bytesToHex(bytes), '20 bytes');
/** @throws HexError `HEX_MALFORMED` unless 32 bytes */
export const bytesToHash = (bytes: Uint8Array): Hash =>
  bytes.length === 32 ? (bytesToHex(bytes) as Hash) : malformed(bytesToHex(bytes), '32 bytes');

/** Order of byte strings: by first different byte, then by length. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shared = Math.min(a.length, b.length);
  for (let index = 0; index < shared; index++) if (a[index] !== b[index]) return a[index]! - b[index]!;
  return a.length - b.length;
}

/** Equal in length and content. Stops at the first difference, so it is not for secrets. */
export const bytesEqual = (a: Uint8Array, b: Uint8Array): boolean => a.length === b.length && compareBytes(a, b) === 0;

/** Order of strings by code unit; for lower-case hex of equal length that is the order of their bytes. */
export const compareStrings = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** A new array with the parts one after another; the parts are copied. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  let size = 0;
  for (const part of parts) size += part.length;
  const joined = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Unsigned integer as big-endian bytes without leading zeros; zero is the empty string (RLP's form of a number). */
export function bigintToBytes(value: bigint): Uint8Array {
  if (value < 0n) throw new RangeError(`expected an unsigned integer, got ${value}`);
  if (value === 0n) return new Uint8Array(0);
  const text = value.toString(16);
  return hexToBytes(`0x${text.length % 2 === 0 ? text : `0${text}`}`);
}

/** Big-endian bytes as an unsigned integer; leading zeros are allowed here. */
export const bytesToBigint = (bytes: Uint8Array): bigint => (bytes.length === 0 ? 0n : BigInt(bytesToHex(bytes)));

/** Text as UTF-8; lone surrogates become U+FFFD, as TextEncoder does. */
export function utf8ToBytes(text: string): Uint8Array {
  const bytes: number[] = [];
  for (const character of text) {
    let point = character.codePointAt(0)!;
    if (point >= 0xd800 && point <= 0xdfff) point = 0xfffd;
    if (point < 0x80) bytes.push(point);
    else if (point < 0x800) bytes.push(0xc0 | (point >> 6), 0x80 | (point & 63));
    else if (point < 0x10000) bytes.push(0xe0 | (point >> 12), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
    else bytes.push(0xf0 | (point >> 18), 0x80 | ((point >> 12) & 63), 0x80 | ((point >> 6) & 63), 0x80 | (point & 63));
  }
  return Uint8Array.from(bytes);
}

/** UTF-8 as text; refuses what {@link utf8ToBytes} would not have produced, so that the encoding stays one to one. */
export function bytesToUtf8(bytes: Uint8Array): string {
  let text = '';
  for (let index = 0; index < bytes.length; ) {
    const first = bytes[index]!;
    const size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    let point = size === 1 ? first : first & (0xff >> (size + 1));
    for (let next = index + 1; next < index + size; next++) point = (point << 6) | ((bytes[next] ?? 0) & 63);
    text += String.fromCodePoint(Math.min(point, 0x10ffff));
    index += size;
  }
  if (!bytesEqual(utf8ToBytes(text), bytes)) return malformed(bytesToHex(bytes), 'UTF-8');
  return text;
}
