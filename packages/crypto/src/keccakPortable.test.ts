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
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(portable.keccak256(bytes)).toEqual(fast.keccak256(bytes));
        expect(portable.keccakHex(bytes)).toBe(fast.keccakHex(bytes));
      }),
    );
  });
});
