import { bytesEqual } from '@prime/primitives';
import { integer, listOf } from './fieldCodecs.ts';
import { decodeRlp, listBase, listHeader, shortPayloadMax, stringBase } from './rlp.ts';

/** Bytes of the greatest safe integer. */
const integerBytesMax = 7;

/**
 * An encoded list of unsigned integers. A view for each of them, as {@link decodeRlp} makes them, takes six times as long: the nonces of a
 * signer are sixty-four of them, and are read for each action that comes in.
 *
 * @param limit most entries
 * @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID`: what the codec of such a list says of the same bytes
 */
export const decodeIntegers = (list: Uint8Array, field: string, limit: number): readonly number[] =>
  canonicalIntegers(list, limit) ?? listOf(integer(), limit).fromRlp(decodeRlp(list), field);

/** @returns null for bytes that are no such list in its one form: why, is for the codec to say */
function canonicalIntegers(list: Uint8Array, limit: number): readonly number[] | null {
  if ((list[0] ?? 0) < listBase) return null;
  const start = payloadStart(list);
  if (start === null) return null;
  const values: number[] = [];
  for (let at = start; at < list.length; ) {
    const first = list[at++]!;
    if (first < stringBase) {
      if (first === 0) return null;
      values.push(first);
      continue;
    }
    const end = at + first - stringBase;
    if (end > list.length || end - at > integerBytesMax) return null;
    // Zero has no bytes, and one byte below 0x80 no header.
    if (end > at && (list[at] === 0 || (end === at + 1 && list[at]! < stringBase))) return null;
    let value = 0;
    while (at < end) value = value * 256 + list[at++]!;
    if (!Number.isSafeInteger(value)) return null;
    values.push(value);
  }
  return values.length <= limit ? values : null;
}

/** Where the items of a list begin; null unless it has its one header, and ends with the bytes. */
function payloadStart(list: Uint8Array): number | null {
  const code = list[0]! - listBase;
  const start = code <= shortPayloadMax ? 1 : 1 + code - shortPayloadMax;
  if (start > list.length) return null;
  const header = listHeader(list.length - start);
  return bytesEqual(header, list.subarray(0, start)) ? start : null;
}
