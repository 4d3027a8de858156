import {
  decodeRlp,
  encodeRlp,
  heightKey,
  namedEnds,
  type OrderName,
  orderName,
  orderNameBytes,
  prefixedKey,
  recordKind,
  recordNumber,
  type RecordWrite,
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { type Address, assert, bigintToNumber, bytesToBigint, bytesToHex, type Height } from '@prime/primitives';

/**
 * How orders ended, for as long as the node keeps the block in which they did.
 *
 * The order book itself forgets an end after `orderMemoryBlocks`, because all nodes have to hold what it remembers. Here the record of a block's ends stays
 * beside its receipts, and is found by order and by client id.
 */

type Reads = Pick<StateDatabase, 'getSync'>;

/** Where an order is told of: the block in which it ended, and its place among the block's ends. */
export interface EndedPlace {
  readonly height: Height;
  readonly index: number;
}

const clientKey = (name: OrderName): Uint8Array => prefixedKey(statePrefix.endedClientOrder, orderNameBytes(name));

/** The record of the orders that ended in a block; null where none did. @param records what the block wrote of the order book */
export const endedOrdersIn = (height: Height, records: readonly RecordWrite[]): Uint8Array | null =>
  records.find(({ key, value }) => value !== null && recordKind(key) === 'closedOrders' && recordNumber(key) === height)
    ?.value ?? null;

/** The same of a block that was committed, as long as it is kept. */
export const readEndedOrders = (database: Reads, height: Height): Uint8Array | null =>
  database.getSync(heightKey(statePrefix.endedOrders, height)) ?? null;

/** Writes that keep the ends of a block. An order is found by its id without any of its own. @param record of {@link endedOrdersIn} */
export function endedOrderWrites(height: Height, record: Uint8Array | null): RecordWrite[] {
  if (record === null) return [];
  const latest = new Map(namedEnds(record).map(({ name, place }) => [name, place]));
  return [
    { key: heightKey(statePrefix.endedOrders, height), value: record },
    ...Array.from(latest, ([name, place]) => ({ key: clientKey(name), value: encodeRlp([height, place]) })),
  ];
}

/** Where the latest order of a client id is that ended; null where none is known. */
export const placeOfClientId = (database: Reads, owner: Address, clientId: string): EndedPlace | null =>
  placeAt(database, clientKey(orderName(owner, clientId)));

/** Keys that {@link endedOrderWrites} of a block left. */
export function endedOrderKeys(database: Reads, height: Height): Uint8Array[] {
  const record = readEndedOrders(database, height);
  if (record === null) return [];
  const names = new Set(namedEnds(record).map(({ name }) => name));
  // A client id that was used again names a later order.
  const own = Array.from(names, clientKey).filter((client) => placeAt(database, client)?.height === height);
  return [heightKey(statePrefix.endedOrders, height), ...own];
}

function placeAt(database: Reads, key: Uint8Array): EndedPlace | null {
  const bytes = database.getSync(key);
  if (bytes === undefined) return null;
  const items = decodeRlp(bytes);
  assert(Array.isArray(items) && items.length === 2, `the place of an ended order has two fields: ${bytesToHex(key)}`);
  const [height, index] = items.map((item) => bigintToNumber(bytesToBigint(item as Uint8Array)));
  return { height: height as Height, index: index! };
}
