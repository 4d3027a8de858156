import type { OrderId } from '@prime/primitives';
import { clobRecordKind, orderRecordKey, recordNumber } from './recordKeys.ts';
import { decodeRlp, encodeRlp, type RlpItem } from '../encoding/rlp.ts';
import { RlpBackwards } from '../encoding/rlpBackwards.ts';

/**
 * The orders root has a leaf for each record, but for those of orders: eight consecutive ids share one, because a busy block
 * makes and drops thousands of orders, and hashing them one by one would cost more than matching them (ADR 0111).
 */
export const orderPageIds = 8;

/** Page that an order is in. */
export const orderPageOf = (id: number): number => Math.floor(id / orderPageIds);

/** 02 | number of the page, 8 bytes */
export const orderPageKey = (page: number): Uint8Array => orderRecordKey(page as OrderId);

const isOrderKey = (key: Uint8Array): boolean => key[0] === clobRecordKind.order && key.length === 9;

/** Key of the leaf that tells about a record. */
export const leafKeyOf = (key: Uint8Array): Uint8Array =>
  isOrderKey(key) ? orderPageKey(orderPageOf(recordNumber(key))) : key;

/** Value of the leaf of a page. @param orders values of its records, in the order of ids; at least one */
export function encodeOrderPage(orders: readonly Uint8Array[]): Uint8Array {
  const writer = new RlpBackwards(orders.reduce((bytes, order) => bytes + order.length, 9));
  for (const order of orders.toReversed()) writer.raw(order);
  writer.list(0);
  return writer.view(writer.length, writer.length).slice();
}

/**
 * What a leaf says about a record.
 *
 * @param key of the record @param leaf value of the leaf with {@link leafKeyOf} its key
 * @returns value of the record; null when the leaf is a page without it
 * @throws CodecError `CODEC_RLP_MALFORMED`
 */
export function recordInLeaf(key: Uint8Array, leaf: Uint8Array): Uint8Array | null {
  if (!isOrderKey(key)) return leaf;
  const page = decodeRlp(leaf);
  if (ArrayBuffer.isView(page)) return null;
  const id = recordNumber(key);
  const order = (page as readonly RlpItem[]).find((item) => idOf(item) === id);
  return order === undefined ? null : encodeRlp(order);
}

/** A record's first field is its id. */
function idOf(order: RlpItem): number | null {
  const id = ArrayBuffer.isView(order) ? undefined : (order as readonly RlpItem[])[0];
  return ArrayBuffer.isView(id) ? (id as Uint8Array).reduce((number, byte) => number * 256 + byte, 0) : null;
}
