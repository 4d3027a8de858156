import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodeNumbers, encodeFrames, encodeNumbers, frameAt, frameCount } from './blockLists.ts';

const items = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
const numbers = fc.array(fc.nat({ max: 2 ** 31 - 1 }), { maxLength: 40 });

describe('frames', () => {
  it('every item is read as it was written', () => {
    fc.assert(
      fc.property(items, (written) => {
        const bytes = encodeFrames(written);
        expect(frameCount(bytes)).toBe(written.length);
        expect(written.map((_, index) => new Uint8Array(frameAt(bytes, index)))).toEqual(written);
      }),
    );
  });

  it('bytes that were cut or grew are refused', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: 1, max: 8 }), (written, difference) => {
        const bytes = encodeFrames(written);
        const longer = new Uint8Array(bytes.length + difference);
        longer.set(bytes);
        expect(() => frameCount(longer)).toThrow(/frames/);
        expect(() => frameCount(bytes.subarray(0, Math.max(0, bytes.length - difference)))).toThrow(/frames/);
      }),
    );
  });

  it('an item whose end lies before its start is refused', () => {
    const bytes = encodeFrames([Uint8Array.of(1, 2), Uint8Array.of(3)]);
    bytes[7] = 200;
    expect(() => frameAt(bytes, 0)).toThrow(/ends before/);
    expect(() => frameAt(bytes, 1)).toThrow(/ends before/);
  });
});

describe('numbers', () => {
  it('any list survives', () => {
    fc.assert(fc.property(numbers, (list) => expect(decodeNumbers(encodeNumbers(list))).toEqual(list)));
  });

  it('a number takes one byte below 128, and one more for each factor of it', () => {
    const lengths = [0, 127, 128, 16_383, 16_384].map((number) => encodeNumbers([number]).length);
    expect(lengths).toEqual([1, 1, 2, 2, 3]);
  });

  it('a list that is cut inside a number is refused', () => {
    expect(() => decodeNumbers(encodeNumbers([1000]).subarray(0, 1))).toThrow(/cut short/);
  });

  it('a number below 0 is a broken invariant', () => {
    expect(() => encodeNumbers([-1])).toThrow(/below 0/);
  });
});
