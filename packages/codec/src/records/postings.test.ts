import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import fc from 'fast-check';
import { heightOfKey } from './databaseKeys.ts';
import { decodePostings, encodePostings, postingsKey } from './postings.ts';

const ascending = (max: number) =>
  fc.uniqueArray(fc.nat({ max }), { minLength: 1, maxLength: 30 }).map((list) => list.sort((a, b) => a - b));

describe('postings of a window', () => {
  it('any survive', () => {
    const blocks = fc.tuple(ascending(63), fc.array(ascending(2 ** 31 - 1), { minLength: 30, maxLength: 30 }));
    fc.assert(
      fc.property(blocks, ([heights, places]) => {
        const postings = heights.map((height, at) => ({ height: (1000 + height) as Height, positions: places[at]! }));
        expect(decodePostings(1063, encodePostings(1063, postings))).toEqual(postings);
      }),
    );
  });

  it('one place in each of 64 blocks takes three bytes a block', () => {
    const postings = Array.from({ length: 64 }, (_, at) => ({ height: at as Height, positions: [5] }));
    expect(encodePostings(63, postings)).toHaveLength(3 * 64);
  });

  it('refuses what is cut short', () => {
    const value = encodePostings(7, [{ height: 7 as Height, positions: [1, 2, 3] }]);
    for (const length of [1, value.length - 1])
      expect(() => decodePostings(7, value.subarray(0, length))).toThrow(
        expect.objectContaining({ code: 'CODEC_FIELD_INVALID' }),
      );
  });

  it('stand in the order of their windows, apart from those of a longer term', () => {
    const keys = [255, 256, 70_000].map((height) => postingsKey({ list: 6, term: Uint8Array.of(1, 2) }, height));
    expect(keys.map(heightOfKey)).toEqual([255, 256, 70_000]);
    expect(keys.map((key) => Buffer.from(key)).sort(Buffer.compare)).toEqual(keys.map((key) => Buffer.from(key)));
  });
});
