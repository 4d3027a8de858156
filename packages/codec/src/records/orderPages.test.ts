import { describe, expect, it } from '@jest/globals';
import { type Address, bytesToHex, type MarketId, type OrderId } from '@prime/primitives';
import fc from 'fast-check';
import { accountRecordKey, globalRecordKey, orderRecordKey } from './recordKeys.ts';
import { encodeOrderRecord, type OrderRecord } from './clobRecords.ts';
import { CodecError } from '../encoding/errors.ts';
import { encodeOrderPage, leafKeyOf, orderPageIds, orderPageKey, orderPageOf, recordInLeaf } from './orderPages.ts';
import { encodeRlp } from '../encoding/rlp.ts';

const record = (id: number, price: bigint): OrderRecord => ({
  orderId: id as OrderId,
  marketId: 1 as MarketId,
  owner: `0x${'a1'.repeat(20)}` as Address,
  side: 'buy',
  price,
  size: 10n,
  remaining: 7n,
  tif: 'gtc',
  postOnly: false,
  reduceOnly: false,
  selfTrade: 'cancel_maker',
  clientId: null,
  expiresAt: 0,
  createdBlock: 4,
});

describe('pages of orders', () => {
  it('hold each of their orders as its record is, and no other', () => {
    const page = fc.nat({ max: 2 ** 40 });
    const prices = fc.array(fc.option(fc.bigInt(1n, 2n ** 100n)), { minLength: orderPageIds, maxLength: orderPageIds });
    fc.assert(
      fc.property(page, prices, (number, held) => {
        const first = number * orderPageIds;
        // Ids begin at 1.
        const values = held.map((price, place) =>
          price === null || first + place === 0 ? null : encodeOrderRecord(record(first + place, price)),
        );
        fc.pre(values.some((value) => value !== null));
        const leaf = encodeOrderPage(values.filter((value) => value !== null));
        // The one encoding there is: a list of the records.
        expect(leaf[0]).toBeGreaterThanOrEqual(0xc0);
        values.forEach((value, place) => {
          const key = orderRecordKey((first + place) as OrderId);
          expect(leafKeyOf(key)).toEqual(orderPageKey(number));
          expect(recordInLeaf(key, leaf)).toEqual(value);
        });
        const beside = first + orderPageIds;
        expect(orderPageOf(beside)).toBe(number + 1);
        expect(recordInLeaf(orderRecordKey(beside as OrderId), leaf)).toBeNull();
      }),
      { examples: [[0, [1n, 2n, null, null, null, null, null, null]]] },
    );
  });

  it('are for orders only: any other record is its own leaf', () => {
    const value = Uint8Array.of(1, 2, 3);
    for (const key of [globalRecordKey(), accountRecordKey(`0x${'02'.repeat(20)}` as Address)]) {
      expect(bytesToHex(leafKeyOf(key))).toBe(bytesToHex(key));
      expect(recordInLeaf(key, value)).toBe(value);
    }
  });

  it('are read from a proof, which may hold anything', () => {
    const key = orderRecordKey(3 as OrderId);
    expect(recordInLeaf(key, encodeRlp(Uint8Array.of(7, 7)))).toBeNull();
    expect(recordInLeaf(key, encodeRlp([3, [], [[3]]]))).toBeNull();
    expect(() => recordInLeaf(key, Uint8Array.of(0xc5))).toThrow(CodecError);
  });
});
