import { describe, expect, it } from '@jest/globals';
import { marketId } from '../testing/arbitraries.ts';
import { bytesToHex, compareBytes, type MarketId } from '@prime/primitives';
import fc from 'fast-check';
import { recordKind } from './recordKeys.ts';
import { decodeLevelRecord, encodeLevelRecord, type LevelRecord, levelRecordKey } from './levelRecords.ts';

const level: fc.Arbitrary<LevelRecord> = fc.record({
  marketId,
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.bigInt({ min: 1n, max: (1n << 128n) - 1n }),
  size: fc.bigInt({ min: 1n, max: (1n << 256n) - 1n }),
});

describe('records of price levels', () => {
  it('decode to what was encoded, under a key of their kind', () => {
    fc.assert(
      fc.property(level, (record) => {
        expect(decodeLevelRecord(encodeLevelRecord(record))).toEqual(record);
        expect(recordKind(levelRecordKey(record))).toBe('level');
      }),
    );
  });

  it('keys have the order of market, side and price', () => {
    const rank = ({ marketId, side, price }: LevelRecord): bigint =>
      (BigInt(marketId) << 200n) | ((side === 'buy' ? 0n : 1n) << 199n) | price;
    fc.assert(
      fc.property(level, level, (a, b) => {
        const order = rank(a) < rank(b) ? -1 : rank(a) > rank(b) ? 1 : 0;
        expect(Math.sign(compareBytes(levelRecordKey(a), levelRecordKey(b)))).toBe(order);
      }),
    );
  });

  it('the bytes of one', () => {
    const one = { marketId: 1 as MarketId, side: 'buy', price: 100n, size: 12n } as const;
    expect(bytesToHex(levelRecordKey(one))).toBe(`0x0a0000000100${'64'.padStart(32, '0')}`);
    expect(bytesToHex(encodeLevelRecord(one))).toBe('0xc40180640c');
  });
});
