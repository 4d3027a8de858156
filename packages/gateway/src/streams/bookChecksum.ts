import { crc32 } from 'node:zlib';
import type { Hex } from '@prime/primitives';
import { type PriceLevel } from '@prime/rpc';
import type { TopOfBook } from '../readModel/orderBooks.ts';

/** Levels of each side that the checksum covers. */
export const checksumLevels = 25;

const levelText = ({ price, size }: PriceLevel): string => `0x${price.toString(16)}:0x${size.toString(16)}`;

/**
 * CRC-32 (the one of zlib and PNG) of the best levels as text: best bid, best ask, second bid, second ask, and so on, each
 * `price:size` in hex quantities, joined by `:`; a side that ends first is left out from there on. The checksum of an empty book is
 * 0x0. Described with a vector in docs/protocol/streams.md.
 */
export function bookChecksum({ bids, asks }: TopOfBook): Hex {
  const parts: string[] = [];
  for (let index = 0; index < Math.min(checksumLevels, Math.max(bids.length, asks.length)); index++)
    for (const level of [bids[index], asks[index]]) if (level !== undefined) parts.push(levelText(level));
  return `0x${crc32(parts.join(':')).toString(16)}` as Hex;
}
