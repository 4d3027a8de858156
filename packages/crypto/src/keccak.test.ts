import { describe, expect, it } from '@jest/globals';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@prime/primitives';
import fc from 'fast-check';
import {
  keccak256,
  keccakHex,
  keccakHexOf,
  keccakInput,
  keccakInputWords,
  keccakOfInput,
  keccakOutputWords,
  keccakToOutput,
} from './keccak.ts';

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

  it('agrees with it at every length of up to five blocks, and where messages become too long for one call', () => {
    const ends = [32_767, 32_768, 65_143, 65_144, 65_278, 65_279, 65_280, 65_281, 65_536];
    for (const length of [...Array.from({ length: 681 }, (_, index) => index), ...ends]) {
      const bytes = new Uint8Array(length).map((_, index) => index * 13 + length);
      const expected = bytesToHex(keccak_256(bytes));
      expect([length, bytesToHex(keccak256(bytes)), keccakHex(bytes)]).toEqual([length, expected, expected]);
    }
  });

  it('hashes what stands in its input, from any place, and what is given, into its output', () => {
    const output = new Uint8Array(keccakOutputWords.buffer, keccakOutputWords.byteOffset, 32);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), fc.nat(40), (bytes, from) => {
        const expected = bytesToHex(keccak_256(bytes));
        // What was there before does not matter.
        keccakInput.fill(0xee, 0, 1000);
        keccakInput.set(bytes, from);
        keccakOfInput(from, bytes.length);
        expect(bytesToHex(output)).toBe(expected);
        keccakOfInput(0, 0);
        keccakToOutput(bytes);
        expect(bytesToHex(output)).toBe(expected);
      }),
    );
    keccakToOutput(new Uint8Array(70_000));
    expect(bytesToHex(output)).toBe(bytesToHex(keccak_256(new Uint8Array(70_000))));
    keccakInputWords[3] = 0x04030201;
    expect([...keccakInput.subarray(12, 16)]).toEqual([1, 2, 3, 4]);
  });

  it('hashes parts as their concatenation', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 6 }), (parts) => {
        expect(keccakHexOf(parts)).toBe(keccakHex(concatBytes(...parts)));
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
