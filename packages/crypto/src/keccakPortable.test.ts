import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as fast from './keccak.ts';
import * as portable from './keccakPortable.ts';

describe('keccak256 for browsers', () => {
  it('exports what the one for nodes does', () => {
    expect(Object.keys(portable).toSorted()).toEqual(Object.keys(fast).toSorted());
  });

  it('gives the same hashes', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 4 }), (parts) => {
        const [first = new Uint8Array(0)] = parts;
        expect(portable.keccak256(first)).toEqual(fast.keccak256(first));
        expect(portable.keccakHex(first)).toBe(fast.keccakHex(first));
        expect(portable.keccakHexOf(parts)).toBe(fast.keccakHexOf(parts));
      }),
    );
  });
});
