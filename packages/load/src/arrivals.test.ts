import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { type RateStage, stagedArrivals } from './arrivals.ts';

const alone = { worker: 0, workers: 1 };
const hold = (rate: number, seconds: number): RateStage => ({ name: 'hold', fromRate: rate, toRate: rate, seconds });
const even = (...stages: RateStage[]): number[] => [...stagedArrivals(stages, alone, null)];
const random = (seed: number, ...stages: RateStage[]): number[] => [...stagedArrivals(stages, alone, createPrng(seed))];
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('arrivals', () => {
  it('come evenly, without an error that adds up', () => {
    expect(even(hold(4, 1.25))).toEqual([0, 250, 500, 750, 1000]);
    const times = even(hold(3, 1_000_001));
    expect(times).toHaveLength(3_000_003);
    expect(times[3_000_000]).toBe(1_000_000_000);
  });

  it('of a ramp come when the integral of its rate is a whole number', () => {
    const ramp = { name: 'ramp', fromRate: 0, toRate: 100, seconds: 10 };
    const times = even(ramp);
    expect(times).toHaveLength(500);
    times.forEach((time, index) => expect(0.5 * 10 * (time / 1000) ** 2).toBeCloseTo(index, 6));
    const down = even({ ...ramp, fromRate: 100, toRate: 0 });
    down.forEach((time, index) => expect(100 * (time / 1000) - 5 * (time / 1000) ** 2).toBeCloseTo(index, 6));
  });

  it('of stages go on where the stage before ended, also through one in which nothing is due', () => {
    expect(even(hold(2, 1.25), hold(0, 10), hold(4, 1))).toEqual([0, 500, 1000, 11_375, 11_625, 11_875, 12_125]);
    const times = random(5, hold(100, 10), hold(0, 10), hold(1000, 10));
    expect(times.filter((time) => time >= 10_000 && time < 20_000)).toEqual([]);
    expect(times.filter((time) => time < 10_000).length / 1000).toBeCloseTo(1, 0);
    expect(times.filter((time) => time >= 20_000).length / 10_000).toBeCloseTo(1, 1);
    expect(times.every((time, index) => index === 0 || time > times[index - 1]!)).toBe(true);
  });

  it('of several workers together are those of one', () => {
    const stages = [hold(7, 3), { name: 'ramp', fromRate: 7, toRate: 50, seconds: 4 }];
    const parts = [0, 1, 2].flatMap((worker) => [...stagedArrivals(stages, { worker, workers: 3 }, null)]);
    expect(parts.toSorted((a, b) => a - b)).toEqual(even(...stages));
    const drawn = [0, 1, 2, 3].map(
      (worker) => [...stagedArrivals([hold(1000, 100)], { worker, workers: 4 }, createPrng(worker))].length,
    );
    for (const count of drawn) expect(Math.abs(count - 25_000)).toBeLessThan(5 * Math.sqrt(25_000));
  });

  it('come as a Poisson process: gaps have the mean and the deviation of the rate, and counts vary as much as they are', () => {
    const rate = 250;
    const times = random(7, hold(rate, 800));
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
    expect(random(3, hold(10, 5))).toEqual(random(3, hold(10, 5)));
    expect(random(3, hold(10, 5))).not.toEqual(random(4, hold(10, 5)));
  });

  it.each([
    [-1, 1],
    [Number.NaN, 1],
    [Number.POSITIVE_INFINITY, 1],
    [1, 0],
    [1, Number.NaN],
    [1, Number.POSITIVE_INFINITY],
  ])('refuse a rate of %d for %d s', (rate, seconds) => {
    expect(() => even(hold(rate, seconds))).toThrow(RangeError);
  });
});
