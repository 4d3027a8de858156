import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@prime/primitives';
import fc from 'fast-check';
import { encodeRlp, type RlpValue } from './rlp.ts';
import { RlpCursor } from './rlpCursor.ts';

const malformed = expect.objectContaining({ code: 'CODEC_RLP_MALFORMED' }) as never;
const number = fc.oneof(fc.constantFrom(0, 1, 127, 128, 255, 256, 2 ** 32), fc.maxSafeNat());
const bigint = fc.oneof(fc.bigInt(0n, 300n), fc.bigInt(0n, (1n << 256n) - 1n));
const hex = fc
  .oneof(fc.constant(new Uint8Array()), fc.uint8Array({ minLength: 2, maxLength: 60 }))
  .map((bytes) => bytesToHex(bytes));

describe('RlpCursor', () => {
  it('reads what was encoded, whatever it passes by', () => {
    const { tree: value } = fc.letrec<{ tree: RlpValue }>((tie) => ({
      tree: fc.oneof({ maxDepth: 4 }, number, hex, fc.array(tie('tree'), { maxLength: 30 })),
    }));
    fc.assert(
      fc.property(
        number,
        bigint,
        hex,
        value,
        fc.array(value, { maxLength: 5 }),
        (first, second, text, passed, more) => {
          const bytes = encodeRlp([first, passed, second, text, ...more, first]);
          const cursor = new RlpCursor(bytes);
          expect(cursor.list()).toBe(bytes.length);
          expect(cursor.number()).toBe(first);
          cursor.skip();
          expect(cursor.bigint()).toBe(second);
          expect(cursor.hex()).toBe(text);
          cursor.skip(more.length);
          expect(cursor.number()).toBe(first);
          expect(cursor.at).toBe(bytes.length);
        },
      ),
    );
  });

  it('goes to a place', () => {
    const cursor = new RlpCursor(encodeRlp([[1, 2], 3]));
    cursor.list();
    const { at } = cursor;
    expect(cursor.list()).toBe(4);
    expect(cursor.number()).toBe(1);
    cursor.moveTo(at);
    cursor.skip();
    expect(cursor.number()).toBe(3);
  });

  it.each([
    ['nothing', [], (cursor: RlpCursor) => cursor.skip()],
    ['a string where a list belongs', [0x82, 1, 2], (cursor: RlpCursor) => cursor.list()],
    ['a list where a string belongs', [0xc1, 1], (cursor: RlpCursor) => cursor.hex()],
    ['a list where a number belongs', [0xc1, 1], (cursor: RlpCursor) => cursor.number()],
    ['a number of 8 bytes', [0x88, 1, 2, 3, 4, 5, 6, 7, 8], (cursor: RlpCursor) => cursor.number()],
    ['a string that is cut short', [0x83, 1, 2], (cursor: RlpCursor) => cursor.skip()],
    ['a long list that is cut short', [0xf8, 60, 1], (cursor: RlpCursor) => cursor.list()],
  ])('refuses %s', (_, bytes, read) => {
    expect(() => read(new RlpCursor(Uint8Array.from(bytes)))).toThrow(malformed);
  });

  it('goes over a byte string that is the given one, and stays in front of another', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 60 }),
        fc.uint8Array({ maxLength: 60 }),
        fc.boolean(),
        (item, other, isSame) => {
          const bytes = encodeRlp([item, 7]);
          const cursor = new RlpCursor(bytes);
          cursor.list();
          const [at, expected] = [cursor.at, isSame ? item : other];
          if (cursor.skipBytes(expected)) {
            expect(bytesToHex(expected)).toBe(bytesToHex(item));
            expect(cursor.number()).toBe(7);
          } else {
            // Strings of none and of one byte, and those with a long header, are not for it.
            expect(item.length < 2 || item.length > 55 || bytesToHex(expected) !== bytesToHex(item)).toBe(true);
            expect(cursor.at).toBe(at);
          }
        },
      ),
      { numRuns: 500 },
    );
    const cut = new RlpCursor(Uint8Array.of(0xc3, 0x82, 1));
    cut.moveTo(1);
    expect(cut.skipBytes(Uint8Array.of(1, 2))).toBe(false);
  });
});
