import { describe, expect, it } from '@jest/globals';
import { compareBytes } from '@prime/primitives';
import fc from 'fast-check';
import { StoredRecords } from './storedRecords.ts';

const bytes = (maxLength: number): fc.Arbitrary<Uint8Array> => fc.uint8Array({ minLength: 1, maxLength });

describe('StoredRecords', () => {
  it('gives copies of what came, in the order of keys, whatever order it came in', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(bytes(41), bytes(300)), { selector: ([key]) => String(key), maxLength: 60 }),
        fc.boolean(),
        (records, isSorted) => {
          const ascending = records.toSorted(([a], [b]) => compareBytes(a, b));
          const stored = new StoredRecords();
          const buffer = new Uint8Array(400);
          for (const [key, value] of isSorted ? ascending : records) {
            // As a ring is written over.
            buffer.set(key);
            buffer.set(value, key.length);
            const end = key.length + value.length;
            stored.add(buffer.subarray(0, key.length), buffer.subarray(key.length, end));
          }
          const found = Array.from({ length: stored.size }, (_, index) => [stored.key(index), stored.value(index)]);
          expect(found).toEqual(ascending);
        },
      ),
    );
  });

  it('takes records that are larger than a piece, and goes on behind them', () => {
    const stored = new StoredRecords();
    const sizes = [600_000, 3_000_000, 600_000, 5];
    for (const [index, size] of sizes.entries()) stored.add(Uint8Array.of(index), new Uint8Array(size).fill(index));
    expect(sizes.map((_, index) => [stored.key(index)[0], stored.value(index).length])).toEqual(
      sizes.map((size, index) => [index, size]),
    );
    expect(stored.value(1).every((byte) => byte === 1)).toBe(true);
  });
});
