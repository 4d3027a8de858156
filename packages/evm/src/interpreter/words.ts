import type { Address, Hash } from '@prime/primitives';

/** 256-bit words between bytes and bigints, without the detour over hex text. */

const sixtyFour = 64n;
const wordMax = 2n ** 64n;

/** The 32 bytes at an offset, big-endian. */
export function readWord(view: DataView, offset: number): bigint {
  const a = view.getBigUint64(offset);
  const b = view.getBigUint64(offset + 8);
  const c = view.getBigUint64(offset + 16);
  const d = view.getBigUint64(offset + 24);
  if (a === 0n) {
    if (b === 0n) return c === 0n ? d : (c << sixtyFour) | d;
    return (((b << sixtyFour) | c) << sixtyFour) | d;
  }
  return (((((a << sixtyFour) | b) << sixtyFour) | c) << sixtyFour) | d;
}

/** @param value < 2^256 */
export function writeWord(view: DataView, offset: number, value: bigint): void {
  // setBigUint64 takes the lowest 64 bits.
  view.setBigUint64(offset + 24, value);
  if (value < wordMax) {
    view.setBigUint64(offset, 0n);
    view.setBigUint64(offset + 8, 0n);
    view.setBigUint64(offset + 16, 0n);
    return;
  }
  view.setBigUint64(offset + 16, value >> 64n);
  view.setBigUint64(offset + 8, value >> 128n);
  view.setBigUint64(offset, value >> 192n);
}

const scratch = new Uint8Array(32);
const scratchView = new DataView(scratch.buffer);

/** Up to 32 bytes as a number, big-endian; nothing is 0. */
export function bytesToWord(bytes: Uint8Array): bigint {
  const { length } = bytes;
  if (length === 32) return readWord(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  if (length === 0) return 0n;
  if (length === 1) return BigInt(bytes[0]!);
  scratch.fill(0, 0, 32 - length);
  scratch.set(bytes, 32 - length);
  return readWord(scratchView, 0);
}

/** A number as 32 bytes. @param value < 2^256 */
export function wordToBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  writeWord(new DataView(bytes.buffer), 0, value);
  return bytes;
}

/** A number without leading zeros, as storage holds it; zero is nothing. @param value < 2^256 */
export function wordToTrimmed(value: bigint): Uint8Array {
  writeWord(scratchView, 0, value);
  let start = 0;
  while (start < 32 && scratch[start] === 0) start++;
  return scratch.slice(start);
}

/** A number as the key of a slot or as a topic. @param value < 2^256 */
export const wordToKey = (value: bigint): Hash => `0x${value.toString(16).padStart(64, '0')}` as Hash;

const address160 = (1n << 160n) - 1n;

/** The account that an item of the stack names. */
export const wordToAddress = (word: bigint): Address =>
  `0x${(word & address160).toString(16).padStart(40, '0')}` as Address;
