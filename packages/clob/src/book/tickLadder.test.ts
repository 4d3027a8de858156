import { describe, expect, it } from '@jest/globals';
import { createPrng, type Prng } from '@prime/primitives';
import { SortedIndex } from './sortedIndex.ts';
import { TickLadder } from './tickLadder.ts';

const entries = (index: Pick<TickLadder, 'descend'>): number[][] => {
  const seen: number[][] = [];
  index.descend((value, key) => seen.push([value, key]) > 0);
  return seen;
};

/** Where keys come from; each makes the window do something else. */
const sources: readonly (readonly [string, (random: Prng, step: number) => number])[] = [
  ['around a price', (random) => 5000 - random.below(300)],
  ['a price that walks far', (random, step) => step - random.below(500)],
  ['a price that falls far', (random, step) => -step - random.below(500)],
  ['far apart', (random) => (random.below(2000) - 1000) * 10_000],
  ['around a price, a few far better', (random) => (random.chance(1, 20) ? 90_000 : 0) - random.below(6000)],
  ['at the end of the exact range', (random) => Number.MAX_SAFE_INTEGER - random.below(9000)],
  ['at the other end', (random) => -Number.MAX_SAFE_INTEGER + random.below(9000)],
];

describe('tick ladder', () => {
  it.each(sources)('holds what a sorted index holds, wherever its window is: %s', (_, source) => {
    const random = createPrng(7);
    const ladder = new TickLadder();
    const plain = new SortedIndex<number>();
    const keys: number[] = [];
    for (let step = 0; step < 40_000; step++) {
      const key = source(random, step);
      if (ladder.get(key) !== plain.get(key)) throw new Error(`key ${key} differs in step ${step}`);
      if (plain.get(key) < 0 && (keys.length < 50 || random.chance(1, 2))) {
        ladder.insert(key, step);
        plain.insert(key, step);
        keys.push(key);
      } else if (keys.length > 0) {
        const isLast = step % 7 === 0;
        const at = isLast ? keys.indexOf(Math.max(...keys)) : random.below(keys.length);
        const gone = keys[at]!;
        keys[at] = keys[keys.length - 1]!;
        keys.pop();
        const value = plain.get(gone);
        plain.remove(gone);
        if (!isLast) ladder.remove(gone);
        else if (ladder.removeLast() !== value) throw new Error(`another key than ${gone} is gone in step ${step}`);
      }
      if (ladder.last() !== plain.last()) throw new Error(`the greatest key differs in step ${step}`);
      if (step % 4000 === 0) expect(entries(ladder)).toEqual(entries(plain));
    }
    expect(entries(ladder)).toEqual(entries(plain));
    expect(ladder.size).toBe(plain.size);
    for (const key of keys) ladder.remove(key);
    expect([ladder.last(), ladder.size]).toEqual([-1, 0]);
  });

  it('stops its walk where it is told to, above, in and below the window', () => {
    const ladder = new TickLadder();
    for (const [value, key] of [100_000, 10_000, 9_999, 0].entries()) ladder.insert(key, value);
    for (let length = 1; length <= 4; length++) {
      const seen: number[] = [];
      ladder.descend((value) => seen.push(value) < length);
      expect(seen).toEqual([0, 1, 2, 3].slice(0, length));
    }
  });
});
