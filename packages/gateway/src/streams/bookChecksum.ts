import { crc32 } from 'node:zlib';
import type { Hex } from '@prime/primitives';
import type { BookOrder, PriceLevel } from '@prime/rpc';
import type { TopOfBook } from '../readModel/books/bookChanges.ts';
import type { BestOrders } from './bookOrders.ts';

/** Levels, or orders, of each side that a checksum covers. */
export const checksumDepth = 25;

const levelText = ({ price, size }: PriceLevel): string => `0x${price.toString(16)}:0x${size.toString(16)}`;

const orderText = (order: BookOrder): string => `0x${order.orderId.toString(16)}:${levelText(order)}`;

/** The best of both sides in turn; a side that ends first is left out from there on. */
function inTurn<entry>(bids: readonly entry[], asks: readonly entry[], text: (value: entry) => string): string {
  const parts: string[] = [];
  for (let index = 0; index < Math.min(checksumDepth, Math.max(bids.length, asks.length)); index++)
    for (const entry of [bids[index], asks[index]]) if (entry !== undefined) parts.push(text(entry));
  return parts.join(':');
}

const checksum = (text: string): Hex => `0x${crc32(text).toString(16)}` as Hex;

/**
 * CRC-32 (the one of zlib and PNG) of the best levels as text: best bid, best ask, second bid, second ask, and so on, each
 * `price:size` in hex quantities, joined by `:`. The checksum of an empty book is 0x0. Described with a vector in
 * docs/protocol/streams.md.
 */
export const bookChecksum = ({ bids, asks }: TopOfBook): Hex => checksum(inTurn(bids, asks, levelText));

/** The same of single orders in the order in which they trade, each `order_id:price:size`. */
export const ordersChecksum = ({ bids, asks }: BestOrders): Hex => checksum(inTurn(bids, asks, orderText));
