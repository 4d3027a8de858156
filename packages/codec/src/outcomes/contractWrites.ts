import type { Address } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { address, byteString, hash, integer, listOf, struct } from '../encoding/fieldCodecs.ts';
import type { ContractOrigin } from '../types.ts';

/**
 * What a contract had the order book do in a block, as the log of 0x…0100 says it. The next block carries it out, so a block's list
 * is state until then: its hash stands in slot 3 of 0x…0100.
 */
export interface ContractWrite extends ContractOrigin {
  readonly account: Address;
  /** Type number of the native transaction that does the same. */
  readonly kind: number;
  /** ABI encoding of the arguments. */
  readonly data: Uint8Array;
}

const writesCodec = listOf(
  struct({
    ticket: integer(1),
    transactionHash: hash,
    account: address,
    kind: integer(0, 255),
    data: byteString(),
  }),
);

/** rlp([[ticket, transaction hash, account, kind, data]…]) */
export const encodeContractWrites = encoder<readonly ContractWrite[]>(writesCodec, 'contract writes');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeContractWrites = decoder<readonly ContractWrite[]>(writesCodec, 'contract writes');
