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

/** Up to 32 bytes as a number, big-endian; nothing is 0. */
export function bytesToWord(bytes: Uint8Array): bigint {
  if (bytes.length === 32) return readWord(new DataView(bytes.buffer, bytes.byteOffset, 32), 0);
  if (bytes.length === 0) return 0n;
  return BigInt(`0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`);
}

/** A number as 32 bytes. @param value < 2^256 */
export function wordToBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(32);
  writeWord(new DataView(bytes.buffer), 0, value);
  return bytes;
}
