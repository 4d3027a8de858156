import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePositions, encodeFrames, encodePositions, frameAt, frameCount } from './blockLists.ts';

const items = fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 20 });
const positions = fc
  .uniqueArray(fc.nat({ max: 1_000_000 }), { maxLength: 40 })
  .map((list) => list.sort((a, b) => a - b));

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

describe('positions', () => {
  it('any ascending list survives', () => {
    fc.assert(fc.property(positions, (list) => expect(decodePositions(encodePositions(list))).toEqual(list)));
  });

  it('neighbours take one byte each', () => {
    expect(encodePositions([5, 6, 7, 8])).toEqual(Uint8Array.of(5, 0, 0, 0));
  });

  it('a list that is cut inside a number is refused', () => {
    expect(() => decodePositions(encodePositions([1000]).subarray(0, 1))).toThrow(/cut short/);
  });

  it('places out of order are a broken invariant', () => {
    expect(() => encodePositions([3, 3])).toThrow(/ascend/);
  });
});
