import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { marketRecord } from '../../testing/arbitraries.ts';
import { decodeMarketRecord, encodeMarketRecord } from '../clobRecords.ts';
import { marketPricesIn } from './marketPrices.ts';

describe('marketPricesIn', () => {
  it('reads what the whole record has', () => {
    fc.assert(
      fc.property(marketRecord, (record) => {
        const bytes = encodeMarketRecord(record);
        const { markPrice, oracle } = decodeMarketRecord(bytes);
        expect(marketPricesIn(bytes)).toEqual({ mark: markPrice, index: oracle?.index ?? null });
      }),
    );
  });

  it('refuses what is no list', () => {
    expect(() => marketPricesIn(Uint8Array.of(1))).toThrow(
      expect.objectContaining({ detail: expect.objectContaining({ code: 'CODEC_RLP_MALFORMED' }) }) as never,
    );
  });
});
