import { decoder, encoder } from '../encoding/messages.ts';
import {
  address,
  byteString,
  type Codec,
  hash,
  integer,
  itemBytes,
  listOf,
  nullable,
  struct,
} from '../encoding/fieldCodecs.ts';
import { gas, uint32, wei } from '../encoding/protocolFields.ts';
import { RlpCursor } from '../encoding/rlpCursor.ts';
import type { Receipt } from '../types.ts';

const bloomLength = 256;
const emptyBytes = new Uint8Array(0);
const fullBloom = byteString({ length: bloomLength });

/** 256 bytes; the bloom of no logs is stored as the empty string, which most receipts have. */
const bloom: Codec<Uint8Array> = {
  toRlp(value, field) {
    fullBloom.toRlp(value, field);
    return value.every((byte) => byte === 0) ? emptyBytes : value;
  },
  fromRlp(item, field) {
    if (itemBytes(item, field).length === 0) return new Uint8Array(bloomLength);
    return fullBloom.fromRlp(item, field);
  },
};

const logCodec = struct({ address, topics: listOf(hash, 4), data: byteString() });

const status = integer<0 | 1>(0, 1);

const receiptsCodec = listOf(
  struct({
    transactionHash: hash,
    transactionIndex: uint32,
    type: integer(0, 0x7f),
    from: address,
    to: nullable(address),
    status,
    gasUsed: gas,
    cumulativeGasUsed: gas,
    effectiveGasPrice: wei,
    contractAddress: nullable(address),
    logs: listOf(logCodec),
    logsBloom: bloom,
    output: byteString(),
  }),
);

/** Storage form of the receipts of a block; the receipts root is taken over the EVM's own encoding, not over this one. */
export const encodeReceipts = encoder<readonly Receipt[]>(receiptsCodec, 'receipts');
/** Undoes {@link encodeReceipts}. @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeReceipts = decoder<readonly Receipt[]>(receiptsCodec, 'receipts');

const addressBytes = 20;
/** Fields in front of the sender, and between the recipient and the created contract. */
const fieldsBefore = 3;
const fieldsBetween = 4;

/**
 * Tells of the accounts of each receipt: sender, recipient, created contract; nothing else of it is decoded.
 *
 * @param receipts of {@link encodeReceipts}
 * @param tell gets where the 20 bytes of the account begin, and the receipt's place
 * @throws CodecError `CODEC_RLP_MALFORMED`
 */
export function eachReceiptAccount(receipts: Uint8Array, tell: (start: number, place: number) => void): void {
  const cursor = new RlpCursor(receipts);
  const end = cursor.list();
  for (let place = 0; cursor.at < end; place++) {
    const behind = cursor.list();
    const tellNext = (fields: number): void => {
      cursor.skip(fields);
      const from = cursor.at;
      // No account is an empty list.
      if (cursor.behind() - from > addressBytes) tell(cursor.at - addressBytes, place);
    };
    tellNext(fieldsBefore);
    tellNext(0);
    tellNext(fieldsBetween);
    cursor.moveTo(behind);
  }
}
