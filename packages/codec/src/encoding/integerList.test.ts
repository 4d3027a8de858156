import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { integer, listOf } from './fieldCodecs.ts';
import { decodeIntegers } from './integerList.ts';
import { decodeRlp, encodeRlp } from './rlp.ts';

const limit = 64;
/** What the codec makes of the bytes, or the code of its error. */
const outcome = (read: () => readonly number[]): unknown => {
  try {
    return read();
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const byCodec = (list: Uint8Array): unknown =>
  outcome(() => listOf(integer(), limit).fromRlp(decodeRlp(list), 'numbers'));
const found = (list: Uint8Array): unknown => outcome(() => decodeIntegers(list, 'numbers', limit));

const value = fc.oneof(
  fc.constantFrom(0, 1, 127, 128, 255, 256, 2 ** 32, 2 ** 48 - 1, 2 ** 48, Number.MAX_SAFE_INTEGER),
  fc.maxSafeNat(),
  fc.nat(300),
);

describe('a list of integers in its encoding', () => {
  it('is what the codec of such a list reads, at each length', () => {
    for (let count = 0; count <= limit; count++) {
      const values = Array.from({ length: count }, (_, index) => 1_700_000_000_000 + index);
      expect(found(encodeRlp(values))).toEqual(values);
    }
    fc.assert(
      fc.property(fc.array(value, { maxLength: limit + 2 }), (values) => {
        const list = encodeRlp(values);
        expect(found(list)).toEqual(byCodec(list));
      }),
    );
  });

  it('is refused as by the codec with a byte changed, cut off or added', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 20 }), fc.nat(), fc.nat(255), fc.nat(4), (values, place, byte, cut) => {
        const list = encodeRlp(values);
        const changed = list.slice();
        changed[place % changed.length] = byte;
        for (const bytes of [changed, list.subarray(0, list.length - cut), Uint8Array.of(...list, byte)])
          expect([bytes, found(bytes)]).toEqual([bytes, byCodec(bytes)]);
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ['nothing', []],
    ['a byte string', [0x82, 1, 2]],
    ['zero as a byte', [0xc1, 0]],
    ['a leading zero', [0xc3, 0x82, 0, 1]],
    ['a header before a byte below 0x80', [0xc2, 0x81, 5]],
    ['eight bytes', [0xc9, 0x88, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['2^53', [0xc8, 0x87, 0x20, 0, 0, 0, 0, 0, 0]],
    ['an integer beyond the end of the list', [0xc1, 0x81]],
    ['a list in it', [0xc1, 0xc0]],
    ['a long header of a short list', [0xf8, 1, 5]],
    ['a long header with a leading zero', [0xf9, 0, 60, ...Array.from({ length: 60 }, () => 1)]],
    ['a header that is cut off', [0xf9, 1]],
    ['more than its header tells', [0xc1, 1, 2]],
  ])('%s is none, and the error is that of the codec', (_, bytes) => {
    const list = Uint8Array.from(bytes);
    expect(found(list)).toMatch(/^CODEC_/);
    expect(found(list)).toEqual(byCodec(list));
  });
});
