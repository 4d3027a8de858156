import type { PriceLevel } from '../../types/order.ts';
import type { Hex } from '../../types/primitives.ts';
import type { BookOrder } from '../types.ts';

/** Levels, or orders, of each side that a checksum covers. */
const checksumDepth = 25;

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

const levelText = ({ price, size }: PriceLevel): string => `0x${price.toString(16)}:0x${size.toString(16)}`;
const orderText = (order: BookOrder): string => `0x${order.orderId.toString(16)}:${levelText(order)}`;

function checksumOf<entry>(bids: readonly entry[], asks: readonly entry[], text: (value: entry) => string): Hex {
  const parts: string[] = [];
  const depth = Math.min(checksumDepth, Math.max(bids.length, asks.length));
  for (let index = 0; index < depth; index++)
    for (const entry of [bids[index], asks[index]]) if (entry !== undefined) parts.push(text(entry));
  return `0x${crc32(parts.join(':')).toString(16)}`;
}

/**
 * Checksum of a book as docs/protocol/streams.md defines it: best levels in turn, as `price:size` in hex joined by `:`.
 *
 * @param bids best first
 * @param asks best first
 */
export const bookChecksum = (bids: readonly PriceLevel[], asks: readonly PriceLevel[]): Hex =>
  checksumOf(bids, asks, levelText);

/** The same of a book order by order, as `order_id:price:size`. */
export const ordersChecksum = (bids: readonly BookOrder[], asks: readonly BookOrder[]): Hex =>
  checksumOf(bids, asks, orderText);
