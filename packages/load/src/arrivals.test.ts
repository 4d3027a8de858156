import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { type Arrivals, constantArrivals, poissonArrivals } from './arrivals.ts';

const take = (arrivals: Arrivals, count: number): number[] =>
  Array.from({ length: count }, () => arrivals.next().value);
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('arrivals', () => {
  it('come evenly, without an error that adds up', () => {
    expect(take(constantArrivals(4), 5)).toEqual([0, 250, 500, 750, 1000]);
    expect(take(constantArrivals(3), 3_000_001).at(-1)).toBe(1_000_000_000);
  });

  it('come as a Poisson process: gaps have the mean and the deviation of the rate, and counts vary as much as they are', () => {
    const rate = 250;
    const times = take(poissonArrivals(rate, createPrng(7)), 200_000);
    const gaps = times.slice(1).map((time, index) => time - times[index]!);
    expect(gaps.every((gap) => gap > 0)).toBe(true);
    expect(mean(gaps)).toBeCloseTo(4, 1);
    expect(Math.sqrt(mean(gaps.map((gap) => (gap - 4) ** 2)))).toBeCloseTo(4, 1);
    const counts = Array.from({ length: 700 }, () => 0);
    for (const time of times) if (time < 700_000) counts[Math.floor(time / 1000)]!++;
    const variance = mean(counts.map((count) => (count - rate) ** 2));
    expect(variance / rate).toBeGreaterThan(0.85);
    expect(variance / rate).toBeLessThan(1.15);
  });

  it('are the same for the same seed', () => {
    expect(take(poissonArrivals(10, createPrng(3)), 50)).toEqual(take(poissonArrivals(10, createPrng(3)), 50));
  });

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuse a rate of %d', (rate) => {
    expect(() => constantArrivals(rate).next()).toThrow(RangeError);
    expect(() => poissonArrivals(rate, createPrng(1)).next()).toThrow(RangeError);
  });
});
