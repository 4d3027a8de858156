import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { highestRate, scheduledOperations, stagedArrivals, stagesSeconds } from './stages.ts';

const stages = [
  { kind: 'ramp', rate: 100, seconds: 10 },
  { kind: 'hold', rate: 100, seconds: 20 },
  { kind: 'spike', rate: 400, seconds: 1 },
  { kind: 'ramp', rate: 0, seconds: 4 },
] as const;
const scenario = (arrivals: 'constant' | 'poisson') => ({ stages: [...stages], arrivals });

/** Times of the arrivals before an end, ms. */
function before(endMs: number, arrivals: Iterator<number>): number[] {
  const times: number[] = [];
  for (let at = arrivals.next().value as number; at < endMs; at = arrivals.next().value as number) times.push(at);
  return times;
}
const within = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter((at) => at >= fromMs && at < toMs).length;

describe('stages', () => {
  it('ramp, hold, spike, ramp down: operations are what the rates add up to', () => {
    expect(scheduledOperations(scenario('constant'))).toBe(500 + 2_000 + 400 + 800);
    expect([stagesSeconds(scenario('constant')), highestRate(scenario('constant'))]).toEqual([35, 400]);
  });

  it('constant arrivals: each second has as many as the rate of that second', () => {
    const times = before(Number.POSITIVE_INFINITY, stagedArrivals(scenario('constant'), { prng: createPrng(1) }));
    expect(times.length).toBe(3_700);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // 0 to 100 a second within ten seconds: 5 operations in the first one, 95 in the last one.
    const counts = [within(times, 0, 1_000), within(times, 9_000, 10_000), within(times, 15_000, 16_000)];
    expect([...counts, within(times, 30_000, 31_000), within(times, 31_000, 35_000)]).toEqual([5, 95, 100, 400, 800]);
  });

  it('Poisson arrivals: the same numbers with chance, and the same times for the same seed', () => {
    const times = before(30_000, stagedArrivals(scenario('poisson'), { prng: createPrng(3) }));
    expect(times).toEqual(before(30_000, stagedArrivals(scenario('poisson'), { prng: createPrng(3) })));
    // Five standard deviations of 2500 Poisson arrivals.
    expect(Math.abs(times.length - 2_500)).toBeLessThan(250);
    const gaps = times.slice(1).map((at, index) => at - times[index]!);
    expect(Math.max(...gaps)).toBeGreaterThan(30);
  });

  it('workers together send what one would', () => {
    const alone = before(20_000, stagedArrivals(scenario('constant'), { prng: createPrng(1) }));
    const workers = [0, 1, 2].flatMap((worker) =>
      before(20_000, stagedArrivals(scenario('constant'), { prng: createPrng(1), partition: { worker, workers: 3 } })),
    );
    expect(workers.toSorted((a, b) => a - b)).toEqual(alone);
  });

  it('behind the last stage its rate goes on', () => {
    const held = { stages: [{ kind: 'hold', rate: 10, seconds: 1 } as const], arrivals: 'constant' as const };
    expect(before(3_000, stagedArrivals(held, { prng: createPrng(1) })).length).toBe(30);
  });
});
