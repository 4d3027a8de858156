import { describe, expect, it } from '@jest/globals';
import { keccak256 } from '@prime/crypto';
import { concatBytes } from '@prime/primitives';
import { checkRecordProof, leafHash } from './recordProof.ts';

/** Two leaves that differ in their first step: digits 0 and 1. */
const keys = { zero: Uint8Array.of(0x00), one: Uint8Array.of(0x40) };
const value = Uint8Array.of(7);
const leaf = (key: Uint8Array) => ({ key, value });
const none = new Uint8Array(32);
const children = [leafHash(keys.zero, value), leafHash(keys.one, value), none, none];
const root = keccak256(concatBytes(Uint8Array.of(1, 0, 0), ...children));
const check = (key: Uint8Array, of: Uint8Array | null, depth: number) =>
  checkRecordProof(root, key, of === null ? null : leaf(of), [{ depth, children }]);

describe('a proof of a record', () => {
  it('leads to the leaf of its key', () => {
    expect(check(keys.zero, keys.zero, 0)).toBe('present');
    expect(check(keys.one, keys.one, 0)).toBe('present');
    expect(check(Uint8Array.of(0x80), null, 0)).toBe('absent');
    expect(check(keys.one, keys.zero, 0)).toBeNull();
  });

  it('has depths of two bytes: a larger one hashes as a smaller one, and would lead to the child of another key', () => {
    for (const depth of [0x1_0000, 0x1_0001, 0x100_0000, 2 ** 32, Number.NaN, 0.5, -1]) {
      expect(check(keys.one, keys.zero, depth)).toBeNull();
      expect(check(keys.one, null, depth)).toBeNull();
    }
  });

  it.each([
    [0, null],
    [1, null],
    [2, 'present'],
  ])('does not go up or stay: below depth 1 a node at depth %i shows %p, though its hash fits', (depth, shown) => {
    const nodeOf = (at: number, first: Uint8Array) => ({ depth: at, children: [first, none, none, none] });
    const hashOf = (node: ReturnType<typeof nodeOf>) =>
      keccak256(concatBytes(Uint8Array.of(1, 0, node.depth), ...node.children));
    const below = nodeOf(depth, leafHash(keys.zero, value));
    const above = nodeOf(1, hashOf(below));
    expect(checkRecordProof(hashOf(above), keys.zero, leaf(keys.zero), [above, below])).toBe(shown);
  });
});
