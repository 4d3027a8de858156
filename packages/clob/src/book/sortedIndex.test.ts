import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { SortedIndex } from './sortedIndex.ts';

describe('sorted index', () => {
  it.each([
    { seed: 1, of: (value: number): number | bigint => value },
    { seed: 2, of: (value: number): number | bigint => BigInt(value) << 70n },
  ])('holds what a plain map holds, in order, through splits and removals: seed $seed', ({ seed, of }) => {
    const random = createPrng(seed);
    const index = new SortedIndex<number | bigint>();
    const plain = new Map<number, number>();
    for (let step = 0; step < 20_000; step++) {
      const raw = random.below(3000) - 1500;
      const known = plain.get(raw);
      expect(index.get(of(raw))).toBe(known ?? -1);
      // Grows to about two thousand keys, then shrinks to nothing.
      if (known === undefined && step < 12_000) {
        plain.set(raw, step);
        index.insert(of(raw), step);
      } else if (known !== undefined && (step >= 12_000 || random.chance(1, 4))) {
        plain.delete(raw);
        index.remove(of(raw));
      } else if (plain.size > 0 && step % 9 === 0) {
        const greatest = Math.max(...plain.keys());
        expect(index.removeLast()).toBe(plain.get(greatest));
        plain.delete(greatest);
      }
    }
    const expected = [...plain].sort(([a], [b]) => b - a).map(([, value]) => value);
    const seen: number[] = [];
    index.descend((value) => seen.push(value) > 0);
    expect(seen).toEqual(expected);
    expect(index.last()).toBe(expected[0] ?? -1);
    expect(index.size).toBe(plain.size);
    for (const raw of plain.keys()) index.remove(of(raw));
    expect(index.last()).toBe(-1);
    expect(index.size).toBe(0);
  });
});
