import { describe, expect, it } from '@jest/globals';
import { grown, type NumberArray } from './growth.ts';

const kinds: readonly (new (length: number) => NumberArray)[] = [
  Int8Array,
  Uint8Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  Float64Array,
];

describe('a typed array that grows', () => {
  it.each(kinds)('%p keeps its kind and every element, the last one too, and has zeros behind them', (Kind) => {
    for (const length of [0, 1, 2, 63, 64, 65]) {
      const array = new Kind(length);
      for (let at = 0; at < length; at++) array[at] = at + 1;
      for (const larger of [length + 1, length * 2 + 1]) {
        const copy = grown(array, larger);
        expect(copy).toBeInstanceOf(Kind);
        expect([...copy]).toEqual([...array, ...Array.from({ length: larger - length }, () => 0)]);
      }
    }
  });

  it('shares no memory with what it was', () => {
    const array = new Int32Array(2);
    const copy = grown(array, 4);
    copy[0] = 7;
    expect(array[0]).toBe(0);
  });

  it('refuses to become smaller or to stay as it is', () => {
    expect(() => grown(new Int32Array(4), 4)).toThrow(/4 elements do not grow to 4/);
    expect(() => grown(new Int32Array(4), 3)).toThrow(/4 elements do not grow to 3/);
  });
});
