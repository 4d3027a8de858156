/** Unsigned big-endian integers at fixed places. */

/** Writes the low 32 bits at the offset; the caller sees to it that there are four bytes. */
export function writeU32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value >>> 24;
  bytes[offset + 1] = value >>> 16;
  bytes[offset + 2] = value >>> 8;
  bytes[offset + 3] = value;
}

/** Undoes {@link writeU32}: 0 to 2^32 - 1. */
export const readU32 = (bytes: Uint8Array, offset: number): number =>
  ((bytes[offset]! << 24) | (bytes[offset + 1]! << 16) | (bytes[offset + 2]! << 8) | bytes[offset + 3]!) >>> 0;

const twoTo32 = 2 ** 32;

/** @param value at most a safe integer */
export function writeU64(bytes: Uint8Array, offset: number, value: number): void {
  writeU32(bytes, offset, Math.floor(value / twoTo32));
  writeU32(bytes, offset + 4, value % twoTo32);
}

/** Beyond the safe integers the result is rounded; callers bound it. */
export const readU64 = (bytes: Uint8Array, offset: number): number =>
  readU32(bytes, offset) * twoTo32 + readU32(bytes, offset + 4);
