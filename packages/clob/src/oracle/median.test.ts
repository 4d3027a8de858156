import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type WeightedPrices, weightedMedian } from './median.ts';

const prices = (...pairs: readonly (readonly [price: number, power: number])[]) =>
  weighted(pairs.map(([price, power]) => ({ price: BigInt(price), power: BigInt(power) })));
const weighted = (all: readonly { readonly price: bigint; readonly power: bigint }[]): WeightedPrices => ({
  prices: all.map(({ price }) => price),
  powers: all.map(({ power }) => power),
});

describe('weightedMedian', () => {
  it.each([
    [[[7, 1]], 7],
    [
      [
        [7, 1],
        [9, 1],
      ],
      7,
    ],
    [
      [
        [9, 1],
        [7, 1],
        [8, 1],
      ],
      8,
    ],
    [
      [
        [1, 1],
        [2, 1],
        [3, 1],
        [4, 1],
      ],
      2,
    ],
    // One that has more than half decides; with exactly half the lower price does.
    [
      [
        [1, 49],
        [5, 51],
      ],
      5,
    ],
    [
      [
        [1, 50],
        [5, 50],
      ],
      1,
    ],
    [
      [
        [5, 20],
        [1, 29],
        [3, 51],
      ],
      3,
    ],
  ] as [[number, number][], number][])('of %j is %d', (pairs, median) => {
    expect(weightedMedian(prices(...pairs))).toBe(BigInt(median));
  });

  it('lies between honest prices, whatever less than a third of all power says', () => {
    const price = fc.bigInt({ min: 1n, max: 1n << 64n });
    const reporter = fc.record({ price, power: fc.bigInt({ min: 1n, max: 1000n }) });
    fc.assert(
      fc.property(
        fc.array(reporter, { minLength: 1, maxLength: 12 }),
        fc.array(reporter, { maxLength: 12 }),
        (honest, liars) => {
          const sum = (of: typeof honest): bigint => of.reduce((total, { power }) => total + power, 0n);
          // Those who are here are more than two thirds of all, and liars less than one: so they are less than half of those who are here.
          fc.pre(sum(liars) < sum(honest));
          const median = weightedMedian(weighted([...liars, ...honest]));
          const told = honest.map((one) => one.price).sort((a, b) => (a < b ? -1 : 1));
          expect(median >= told[0]! && median <= told.at(-1)!).toBe(true);
        },
      ),
    );
  });

  it('does not depend on the order in which prices are told', () => {
    const reporter = fc.record({ price: fc.bigInt({ min: 1n, max: 9n }), power: fc.bigInt({ min: 1n, max: 9n }) });
    fc.assert(
      fc.property(fc.array(reporter, { minLength: 1, maxLength: 9 }), (all) => {
        expect(weightedMedian(weighted([...all].reverse()))).toBe(weightedMedian(weighted(all)));
      }),
    );
  });

  it('is the first price of all in order at which half of the power is reached', () => {
    const reporter = fc.record({ price: fc.bigInt({ min: 1n, max: 30n }), power: fc.bigInt({ min: 1n, max: 9n }) });
    fc.assert(
      fc.property(fc.array(reporter, { minLength: 1, maxLength: 40 }), (all) => {
        const powerOf = (some: typeof all): bigint => some.reduce((sum, { power }) => sum + power, 0n);
        const upTo = (most: bigint): bigint => powerOf(all.filter(({ price }) => price <= most));
        const least = all.map(({ price }) => price).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect(weightedMedian(weighted(all))).toBe(least.find((price) => upTo(price) * 2n >= powerOf(all)));
      }),
    );
  });

  it('needs a price', () => {
    expect(() => weightedMedian(weighted([]))).toThrow(RangeError);
  });
});
