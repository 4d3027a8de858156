import type { Address, MarketId, OrderId } from '@prime/primitives';
import { type ClosedOrder, closedOrderFields, decodeClosedOrder, type OrderRecord } from './clobRecords.ts';
import { RlpCursor } from '../encoding/rlpCursor.ts';

/** Parts of the records that a busy block has thousands of, for whoever reads them out of the own state and needs no more. */

/** What a resting order adds to its level and to what its owner has open. */
export type RestingOrder = Pick<
  OrderRecord,
  'orderId' | 'marketId' | 'owner' | 'side' | 'price' | 'remaining' | 'clientId'
>;

/** A part of {@link decodeOrderRecord}, for whoever reads thousands of records of the own state. @throws CodecError `CODEC_RLP_MALFORMED` */
export function decodeRestingOrder(value: Uint8Array): RestingOrder {
  const cursor = new RlpCursor(value);
  cursor.list();
  const [id, market] = [cursor.number() as OrderId, cursor.number() as MarketId];
  const owner = cursor.hex() as Address;
  const isSell = cursor.number() === 1;
  const price = cursor.bigint();
  cursor.skip();
  const remaining = cursor.bigint();
  // Time in force, post-only, reduce-only, self-trade prevention.
  cursor.skip(4);
  const name = cursor.hex();
  return {
    orderId: id,
    marketId: market,
    owner,
    side: isSell ? 'sell' : 'buy',
    price,
    remaining,
    clientId: name === '0x' ? null : name,
  };
}

/** Ids of the orders of a record of closed orders, in their order; nothing else of it is decoded. @throws CodecError `CODEC_RLP_MALFORMED` */
export function closedOrderIds(record: Uint8Array): OrderId[] {
  const ids: OrderId[] = [];
  eachClosedOrder(record, (cursor) => ids.push(cursor.number() as OrderId));
  return ids;
}

/**
 * Tells of each order of a record of closed orders: its id, where the 20 bytes of its owner begin, and its place.
 *
 * @throws CodecError `CODEC_RLP_MALFORMED`
 */
export function eachEndedOrder(record: Uint8Array, tell: (id: number, start: number, place: number) => void): void {
  eachClosedOrder(record, (cursor, place) => {
    const id = cursor.number();
    cursor.skip(ownerPlace);
    tell(id, cursor.at - ownerBytes, place);
  });
}
const ownerBytes = 20;
const ownerPlace = closedOrderFields.indexOf('owner');

/** The orders of a record of closed orders that have a client id, with their places there. */
export function namedClosedOrders(record: Uint8Array): { readonly place: number; readonly order: ClosedOrder }[] {
  const named: { place: number; order: ClosedOrder }[] = [];
  eachClosedOrder(record, (cursor, place, start, end) => {
    cursor.skip(clientIdPlace);
    if (record[cursor.at] === noClientId) return;
    named.push({ place, order: decodeClosedOrder(record.subarray(start, end)) });
  });
  return named;
}
const clientIdPlace = closedOrderFields.indexOf('clientId');
/** The empty string. */
const noClientId = 0x80;

/** @param see each order, told by the cursor at its first field, its place, and where it begins and ends */
function eachClosedOrder(
  record: Uint8Array,
  see: (cursor: RlpCursor, place: number, start: number, end: number) => void,
): void {
  const cursor = new RlpCursor(record);
  cursor.list();
  cursor.skip();
  const listEnd = cursor.list();
  for (let place = 0; cursor.at < listEnd; place++) {
    const start = cursor.at;
    const end = cursor.list();
    see(cursor, place, start, end);
    cursor.moveTo(end);
  }
}
