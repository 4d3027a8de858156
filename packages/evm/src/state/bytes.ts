import type { Address, Hash } from '@prime/primitives';

/**
 * Hex of bytes through Node's own encoder: keys of the overlay maps are made several times per opcode that touches state, and the
 * portable encoder of the ground package takes ten times as long.
 */
const hex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

/** @param bytes 20 bytes, not checked */
export const addressKey = (bytes: Uint8Array): Address => hex(bytes) as Address;
/** @param bytes 32 bytes, not checked */
export const wordKey = (bytes: Uint8Array): Hash => hex(bytes) as Hash;

/** Bytes of well-formed hex, not checked. */
export const bytesOf = (key: string): Uint8Array => new Uint8Array(Buffer.from(key.slice(2), 'hex'));

/** A word without its leading zeros, which is how storage values are kept; zero is the empty string. */
export function trimWord(word: Uint8Array): Uint8Array {
  let start = 0;
  while (start < word.length && word[start] === 0) start++;
  return start === 0 ? word : word.slice(start);
}

/** An unsigned integer as a 32-byte word. */
export function wordOf(value: bigint): Uint8Array {
  return bytesOf(`0x${value.toString(16).padStart(64, '0')}`);
}
