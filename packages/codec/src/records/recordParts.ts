import { type Address, type Brand, type Hex, hexToBytes, type MarketId, type OrderId } from '@prime/primitives';
import { closedOrderFields, type OrderRecord } from './clobRecords.ts';
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
const clientIdBytes = 16;
const ownerPlace = closedOrderFields.indexOf('owner');
const endPlace = closedOrderFields.indexOf('end');
const filledPlace = closedOrderFields.indexOf('filled');
const clientIdPlace = closedOrderFields.indexOf('clientId');
/** The empty string. */
const noClientId = 0x80;
/** Code of the first end: an order that was filled. */
const filledEnd = 0;

/** What an owner calls an order: 20 bytes of the owner and 16 of the client id, each a character. A busy block has thousands, and this costs the least. */
export type OrderName = Brand<string, 'OrderName'>;

/** The name of the orders that an owner gave a client id. */
export const orderName = (owner: Address, clientId: string): OrderName =>
  nameOf(hexToBytes(owner, ownerBytes), 0, hexToBytes(clientId as Hex, clientIdBytes), 0);

/** @param ownerAt where the owner begins, as the client id in the other bytes */
function nameOf(owners: Uint8Array, ownerAt: number, clientIds: Uint8Array, clientIdAt: number): OrderName {
  // Arguments of a plain list are handed over as they are, bytes would go through an iterator.
  const characters: number[] = [];
  for (let at = 0; at < ownerBytes; at++) characters.push(owners[ownerAt + at]!);
  for (let at = 0; at < clientIdBytes; at++) characters.push(clientIds[clientIdAt + at]!);
  return String.fromCharCode(...characters) as OrderName;
}

/** Bytes of a name: owner, client id. */
export function orderNameBytes(name: OrderName): Uint8Array {
  const bytes = new Uint8Array(name.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = name.charCodeAt(at);
  return bytes;
}

/** An order with a client id that is gone. */
export interface NamedEnd {
  /** Among the ends of its block. */
  readonly place: number;
  readonly orderId: OrderId;
  readonly name: OrderName;
  readonly isFilled: boolean;
  /** Base units. */
  readonly filled: bigint;
}

/** The orders of a record of closed orders that have a client id. @throws CodecError `CODEC_RLP_MALFORMED` */
export function namedEnds(record: Uint8Array): NamedEnd[] {
  const named: NamedEnd[] = [];
  eachClosedOrder(record, (cursor, place) => {
    const orderId = cursor.number() as OrderId;
    cursor.skip(ownerPlace);
    const ownerEnd = cursor.at;
    cursor.skip(endPlace - ownerPlace - 1);
    const isFilled = cursor.number() === filledEnd;
    const filledAt = cursor.at;
    cursor.skip(clientIdPlace - filledPlace);
    if (record[cursor.at] === noClientId) return;
    const clientIdEnd = cursor.behind();
    const name = nameOf(record, ownerEnd - ownerBytes, record, clientIdEnd - clientIdBytes);
    cursor.moveTo(filledAt);
    named.push({ place, orderId, name, isFilled, filled: cursor.bigint() });
  });
  return named;
}

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
