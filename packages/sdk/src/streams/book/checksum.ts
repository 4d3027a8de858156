import type { PriceLevel } from '../../types/order.ts';
import type { Hex } from '../../types/primitives.ts';

/** Levels of each side that the checksum covers. */
const checksumLevels = 25;

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** CRC-32 (ISO-HDLC, that of zlib) of ASCII text. */
export function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let index = 0; index < text.length; index++) crc = (crc >>> 8) ^ table[(crc ^ text.charCodeAt(index)) & 0xff]!;
  return (crc ^ 0xffffffff) >>> 0;
}

/**
 * Checksum of a book as docs/protocol/streams.md defines it: best levels in turn, as `price:size` in hex joined by `:`.
 *
 * @param bids best first
 * @param asks best first
 */
export function bookChecksum(bids: readonly PriceLevel[], asks: readonly PriceLevel[]): Hex {
  const parts: string[] = [];
  const depth = Math.min(checksumLevels, Math.max(bids.length, asks.length));
  for (let index = 0; index < depth; index++)
    for (const level of [bids[index], asks[index]])
      if (level !== undefined) parts.push(`0x${level.price.toString(16)}:0x${level.size.toString(16)}`);
  return `0x${crc32(parts.join(':')).toString(16)}`;
}
