import { isPrimeError } from '@prime/primitives';
import { isRlpList } from '../encoding/rlp.ts';
import { type AccessListEntry, decodeTransaction, type SignedAuthorization } from './transactionFields.ts';
import { transactionTypes } from './transactionTypes.ts';

/** What execution needs of a transaction's bytes besides what was read when it was verified. */
export interface TransactionPayload {
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizations: readonly SignedAuthorization[];
}

const nothing: readonly never[] = [];
/** Fields before the data, by type of transaction. */
const fieldsBeforeData: Readonly<Record<number, number | undefined>> = {
  [transactionTypes.legacy]: 5,
  [transactionTypes.accessList]: 6,
  [transactionTypes.dynamicFee]: 7,
  [transactionTypes.setCode]: 7,
};
const emptyList = 0xc0;

/**
 * Of a transaction that was verified: how it looks from outside is checked again, and whatever has lists in it is read as a whole.
 *
 * @returns null for bytes that are no transaction
 */
export function transactionPayload(raw: Uint8Array, type: number): TransactionPayload | null {
  const data = type === transactionTypes.setCode ? null : dataWithoutLists(raw, type);
  if (data !== null) return { data, accessList: nothing, authorizations: nothing };
  try {
    const { input, accessList, authorizationList } = decodeTransaction(raw);
    return { data: input, accessList: accessList ?? nothing, authorizations: authorizationList ?? nothing };
  } catch (error) {
    if (isPrimeError(error)) return null;
    throw error;
  }
}

/** @returns null where there is more to read, or what is there makes no sense */
function dataWithoutLists(raw: Uint8Array, type: number): Uint8Array | null {
  const place = dataPlace(raw, type);
  if (place === null) return null;
  const hasNoLists = type === transactionTypes.legacy || raw[place.end] === emptyList;
  return hasNoLists ? raw.subarray(place.start, place.end) : null;
}

/**
 * The call data alone of a transaction that was verified; nothing else of it is read.
 *
 * @returns a view; null for bytes that are no transaction
 */
export function transactionData(raw: Uint8Array, type: number): Uint8Array | null {
  const place = dataPlace(raw, type);
  return place === null ? null : raw.subarray(place.start, place.end);
}

/** Steps over the fields to the data. @returns null where what is there makes no sense */
function dataPlace(raw: Uint8Array, type: number): { readonly start: number; readonly end: number } | null {
  const isLegacy = type === transactionTypes.legacy;
  let offset = isLegacy ? 0 : 1;
  const fieldCount = fieldsBeforeData[type];
  if (fieldCount === undefined || (!isLegacy && raw[0] !== type)) return null;
  if (!isRlpList(isLegacy ? raw : raw.subarray(1))) return null;
  const first = raw[offset]!;
  offset += first > 0xf7 ? first - 0xf6 : 1;
  for (let remaining = fieldCount; remaining > 0; remaining--) offset = endOf(raw, offset);
  const start = startOf(raw, offset);
  const end = endOf(raw, offset);
  return start <= end && end < raw.length ? { start, end } : null;
}

/** Where the content of a byte string begins. @returns NaN for a list */
function startOf(raw: Uint8Array, offset: number): number {
  const first = raw[offset]!;
  if (first < 0x80) return offset;
  if (first < 0xb8) return offset + 1;
  return first < emptyList ? offset + first - 0xb6 : Number.NaN;
}

/** Where a byte string ends. */
function endOf(raw: Uint8Array, offset: number): number {
  const first = raw[offset]!;
  if (first < 0x80) return offset + 1;
  if (first < 0xb8) return offset + first - 0x7f;
  if (first >= emptyList) return Number.NaN;
  const start = offset + first - 0xb6;
  let length = 0;
  for (let at = offset + 1; at < start; at++) length = length * 256 + raw[at]!;
  return start + length;
}
