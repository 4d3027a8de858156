import { bigintToBytes } from '@prime/primitives';
import { decoder, encoder } from '../encoding/messages.ts';
import { clobRecordKind } from './recordKeys.ts';
import { struct, type ValueOf } from '../encoding/fieldCodecs.ts';
import { amount, marketId, side, wei } from '../encoding/protocolFields.ts';

const levelCodec = struct({
  marketId,
  side,
  /** Wei per base unit. */
  price: amount,
  /** Sum of what remains of the orders, base units, > 0. */
  size: wei,
});
/**
 * What rests at a price, as a record of the order book domain: there while somebody rests there, on networks whose genesis says
 * `clob.levelProofs`. It follows from the records of the orders; being one itself it can be proven whole, which its orders one by one
 * can not.
 */
export interface LevelRecord extends ValueOf<typeof levelCodec> {}

/** @throws CodecError `CODEC_FIELD_INVALID` */
export const encodeLevelRecord = encoder<LevelRecord>(levelCodec, 'level record');
/** @throws CodecError `CODEC_RLP_MALFORMED`, `CODEC_FIELD_INVALID` */
export const decodeLevelRecord = decoder<LevelRecord>(levelCodec, 'level record');

const keyBytes = 22;

/** 0a | market id, 4 bytes | 00 for buys, 01 for sells | price, 16 bytes */
export function levelRecordKey({ marketId: market, side: of, price }: Omit<LevelRecord, 'size'>): Uint8Array {
  const key = new Uint8Array(keyBytes);
  key[0] = clobRecordKind.level;
  new DataView(key.buffer).setUint32(1, market);
  key[5] = of === 'buy' ? 0 : 1;
  const bytes = bigintToBytes(price);
  key.set(bytes, keyBytes - bytes.length);
  return key;
}
