import { describe, expect, it } from '@jest/globals';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import { keccak256, keccakHex } from './keccak.ts';

describe('keccak256', () => {
  it('gives the known hashes of nothing and of a word', () => {
    expect(keccakHex(new Uint8Array(0))).toBe('0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470');
    expect(keccakHex(utf8ToBytes('hello'))).toBe('0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8');
  });

  it('agrees with the pure JavaScript hash around the block size and on random input', () => {
    for (const length of [1, 31, 32, 33, 135, 136, 137, 271, 272, 273, 5000, 70_000]) {
      const bytes = new Uint8Array(length).map((_, index) => index * 7);
      expect([length, bytesToHex(keccak256(bytes))]).toEqual([length, bytesToHex(keccak_256(bytes))]);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
        expect(keccakHex(bytes)).toBe(bytesToHex(keccak_256(bytes)));
      }),
    );
  });

  it('reads only the view it is given and returns fresh bytes', () => {
    const buffer = new Uint8Array([9, 9, 1, 2, 3, 9]);
    const first = keccak256(buffer.subarray(2, 5));
    const copy = first.slice();
    expect(bytesToHex(first)).toBe(bytesToHex(keccak_256(new Uint8Array([1, 2, 3]))));
    keccak256(buffer);
    expect(first).toEqual(copy);
  });
});
