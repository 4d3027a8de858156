import type { RecordProof } from '@prime/clob';
import {
  encodeOrderPage,
  type ExecutionStatus,
  type Genesis,
  orderPageIds,
  orderRecordKey,
  type OrdersProof,
  prefixedKey,
  recordKind,
  recordNumber,
  statePrefix,
} from '@prime/codec';
import type { StateDatabase } from '@prime/evm';
import { assert, type OrderId } from '@prime/primitives';
import { ChainError } from '../errors.ts';

/** The key, unless it is one that is always absent: that would say that nobody rests at the price. @throws ChainError `CHAIN_LEVELS_NOT_KEPT` */
export function provable(key: Uint8Array, { clob }: Genesis): Uint8Array {
  if (recordKind(key) === 'level' && clob.levelProofs !== true)
    throw new ChainError('this network keeps no records of price levels', { code: 'CHAIN_LEVELS_NOT_KEPT' });
  return key;
}

/** The proof of the order book with the record that it ends at, as it stands in the database at the head. */
export function proofOf(
  { height, hash, roots }: ExecutionStatus,
  { steps, leafKey }: RecordProof,
  database: StateDatabase,
): OrdersProof {
  const record = leafKey === null ? null : { key: leafKey, value: leafValue(leafKey, database) };
  return { height, hash, stateRoot: roots.stateRoot, steps, record };
}

/** A leaf of the orders root: a stored record, or the stored records of a page of orders. */
function leafValue(key: Uint8Array, database: StateDatabase): Uint8Array {
  const stored = (recordKey: Uint8Array): Uint8Array | undefined =>
    database.getSync(prefixedKey(statePrefix.clobRecord, recordKey));
  if (recordKind(key) === 'order') {
    const first = recordNumber(key) * orderPageIds;
    const ids = Array.from({ length: orderPageIds }, (_, place) => (first + place) as OrderId);
    const orders = ids.map((id) => stored(orderRecordKey(id))).filter((order) => order !== undefined);
    assert(orders.length > 0, 'every page of the orders root has a stored order');
    return encodeOrderPage(orders);
  }
  const value = stored(key);
  assert(value !== undefined, 'every other leaf of the orders root is a stored record');
  return value;
}
