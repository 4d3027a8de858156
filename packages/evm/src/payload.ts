import { isRlpList } from '@prime/codec';
import { isPrimeError } from '@prime/primitives';
import { type AccessListItem, type Authorization, parseTransaction } from './transactions.ts';

/** What execution needs of a transaction's bytes besides what was read when it was verified. */
export interface Payload {
  readonly data: Uint8Array;
  readonly accessList: readonly AccessListItem[];
  readonly authorizations: readonly Authorization[];
}

const nothing: readonly never[] = [];
/** Fields before the data, by type of transaction. */
const fieldsBefore: readonly (number | undefined)[] = [5, 6, 7];
const emptyList = 0xc0;

/**
 * Of a transaction that was verified: how it looks from outside is checked again, and whatever has lists in it is read as a whole.
 *
 * @returns null for bytes that are no transaction
 */
export function payloadOf(raw: Uint8Array, type: number): Payload | null {
  const data = fieldsBefore[type] === undefined ? null : dataWithoutLists(raw, type);
  if (data !== null) return { data, accessList: nothing, authorizations: nothing };
  try {
    const { input, accessList, authorizationList } = parseTransaction(raw);
    return { data: input, accessList: accessList ?? nothing, authorizations: authorizationList ?? nothing };
  } catch (error) {
    if (isPrimeError(error)) return null;
    throw error;
  }
}

/** Steps over the fields to the data. @returns null where there is more to read, or what is there makes no sense */
function dataWithoutLists(raw: Uint8Array, type: number): Uint8Array | null {
  let offset = type === 0 ? 0 : 1;
  if (type !== 0 && raw[0] !== type) return null;
  if (!isRlpList(type === 0 ? raw : raw.subarray(1))) return null;
  const first = raw[offset]!;
  offset += first > 0xf7 ? first - 0xf6 : 1;
  for (let left = fieldsBefore[type]!; left > 0; left--) offset = endOf(raw, offset);
  const start = startOf(raw, offset);
  const end = endOf(raw, offset);
  if (!(start <= end && end < raw.length)) return null;
  return type === 0 || raw[end] === emptyList ? raw.subarray(start, end) : null;
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
