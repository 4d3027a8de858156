import { keccak256 } from '@prime/crypto';
import { type Address, bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@prime/primitives';
import { integer, address, struct, type ValueOf } from '../encoding/fieldCodecs.ts';

/** Accounts that an owner has beside his own: each holds collateral, orders and positions by itself, and has no key. */

/** Greatest number of a sub-account; the least is 1. */
export const subAccountIndexMax = 0xffffffff;

/** Number of a sub-account among those of its owner. */
export const subAccountIndex = integer(1, subAccountIndexMax);

/** What names a sub-account, in its record and in what its making answers. */
export const subAccountFields = { owner: address, index: subAccountIndex } as const;
/** Whose sub-account an account is, and which one: part of its record. */
export const subAccountCodec = struct(subAccountFields);
/** The owner acts for it, and has given it that number. */
export interface SubAccount extends ValueOf<typeof subAccountCodec> {}

const tag = utf8ToBytes('prime-subaccount');

/**
 * Where a sub-account is: the last 20 bytes of keccak256(`prime-subaccount`, 16 bytes | owner, 20 | index, 4, big-endian). Nobody has a key of it.
 *
 * @param index 1 to {@link subAccountIndexMax}
 * @throws CodecError `CODEC_FIELD_INVALID` for another index
 */
export function subAccountAddress(owner: Address, index: number): Address {
  subAccountIndex.toRlp(index, 'index');
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index);
  return bytesToHex(keccak256(concatBytes(tag, hexToBytes(owner, 20), number)).subarray(12)) as Address;
}
