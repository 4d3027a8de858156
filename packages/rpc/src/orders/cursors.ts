import type { AccountList, BlockPlace } from '@prime/codec';
import { accountLists } from '@prime/codec';
import { keccak256 } from '@prime/crypto';
import { type Address, bytesToHex, concatBytes, type Height, type Hex, hexToBytes } from '@prime/primitives';
import { invalidParams } from '../errors/errors.ts';

/**
 * Cursors of lists: the place in the chain in front of which the next page is. Blocks are final, so that a cursor is right on every node, whatever
 * comes behind it or is deleted before it. To clients it is opaque.
 */

const heightBytes = 6;
const indexBytes = 4;
/** Of a hash over place, list and account: what was cut, mistyped or given for something else is refused instead of answered wrongly. */
const checkBytes = 4;
const placeBytes = heightBytes + indexBytes;

/** What cursors look like. */
export const cursorPattern = `^0x[0-9a-f]{${2 * (placeBytes + checkBytes)}}$`;

/** Whose list it is. */
interface Listing {
  readonly list: AccountList;
  readonly address: Address;
}

const checkOf = ({ list, address }: Listing, place: Uint8Array): Uint8Array =>
  keccak256(concatBytes(Uint8Array.of(accountLists[list]), hexToBytes(address), place)).subarray(0, checkBytes);

/** The cursor of a place in a list. */
export function formatCursor(listing: Listing, { height, index }: BlockPlace): Hex {
  const place = new Uint8Array(placeBytes);
  const view = new DataView(place.buffer);
  view.setUint16(0, Math.floor(height / 2 ** 32));
  view.setUint32(2, height % 2 ** 32);
  view.setUint32(heightBytes, index);
  return bytesToHex(concatBytes(place, checkOf(listing, place)));
}

/** @param cursor of the form that {@link cursorPattern} says @throws RpcError `RPC_INVALID_PARAMS` for one of another list or account */
export function parseCursor(listing: Listing, cursor: string): BlockPlace {
  const bytes = hexToBytes(cursor as Hex);
  const place = bytes.subarray(0, placeBytes);
  if (!checkOf(listing, place).every((byte, at) => byte === bytes[placeBytes + at]))
    throw invalidParams('page.cursor', 'is not the `next` of a page of this list of this account');
  const view = new DataView(place.buffer, place.byteOffset);
  return {
    height: (view.getUint16(0) * 2 ** 32 + view.getUint32(2)) as Height,
    index: view.getUint32(heightBytes),
  };
}
