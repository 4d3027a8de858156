import { type ClosedOrder, decodeClosedOrderAt, type OrderKey, postingLists } from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import type { Height } from '@prime/primitives';
import { type EndedPlace, placeOfClientId, readEndedOrders } from './endedOrders.ts';
import { readLastApplied, readOldest } from './history.ts';
import { postingsDown } from './postings.ts';
import { endedPlace, pageTerm } from './terms.ts';

/** Finds orders that ended in blocks that are kept. */

type Scans = Pick<StateDatabase, 'getSync' | 'scan'>;

/** null for an order that is not known to have ended: it is live, never was, or ended in a block that is not kept. */
export async function readEndedOrder(
  database: Scans,
  key: OrderKey,
): Promise<{ readonly order: ClosedOrder; readonly height: Height } | null> {
  const place =
    'orderId' in key ? await placeOfOrder(database, key.orderId) : placeOfClientId(database, key.owner, key.clientId);
  if (place === null) return null;
  const record = readEndedOrders(database, place.height);
  // Deleted since the place was read, or still in memory.
  if (record === null || place.height < readOldest(database, 'oldestBlock')) return null;
  return { order: decodeClosedOrderAt(record, place.index), height: place.height };
}

async function placeOfOrder(database: Scans, id: number): Promise<EndedPlace | null> {
  const range = { fromHeight: 1, toHeight: readLastApplied(database) ?? 0 };
  const key = { list: postingLists.orderPage, term: pageTerm(id) };
  for await (const { height, positions } of postingsDown(database, key, range))
    for (const position of positions) {
      const index = endedPlace(position, id);
      if (index !== null) return { height, index };
    }
  return null;
}
