import { describe, expect, it } from '@jest/globals';
import { createPrng, type Prng } from './prng.ts';

const take = (prng: Prng, count: number): number[] => Array.from({ length: count }, () => prng.next());

describe('createPrng', () => {
  it('one seed, one stream; another seed, another stream', () => {
    expect(take(createPrng(7), 50)).toEqual(take(createPrng(7), 50));
    expect(take(createPrng(7), 50)).not.toEqual(take(createPrng(8), 50));
  });

  it('a seed that was printed goes on meaning the same: the stream of seed 1 is pinned', () => {
    expect(take(createPrng(1), 3)).toEqual([792534090, 3215351813, 160231488]);
  });

  it('below: every value of the range comes, none outside, none much more often', () => {
    const prng = createPrng(3);
    const counts = [0, 0, 0, 0, 0, 0];
    for (let draw = 0; draw < 6000; draw++) counts[prng.below(6)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
    for (const bound of [0, -1, 1.5, 2 ** 32 + 1]) expect(() => prng.below(bound)).toThrow(RangeError);
    expect(prng.below(1)).toBe(0);
  });

  it('chance: never, always, and in between', () => {
    const prng = createPrng(4);
    const share = (numerator: number): number =>
      Array.from({ length: 2000 }, () => prng.chance(numerator, 10)).filter(Boolean).length / 2000;
    expect([share(0), share(10)]).toEqual([0, 1]);
    expect(Math.abs(share(3) - 0.3)).toBeLessThan(0.05);
  });

  it('a fork is not moved by what its parent draws later', () => {
    const [one, other] = [createPrng(5), createPrng(5)];
    const [child, sibling] = [one.fork(), other.fork()];
    take(other, 10);
    expect(take(child, 10)).toEqual(take(sibling, 10));
  });
});
