import { describe, expect, it } from '@jest/globals';
import { stagedArrivals } from '../arrivals.ts';
import { highestRate, rateStages, scheduledOperations, stagesSeconds } from './stages.ts';

const stages = [
  { kind: 'ramp', rate: 100, seconds: 10 },
  { kind: 'hold', rate: 100, seconds: 20 },
  { kind: 'spike', rate: 400, seconds: 1 },
  { kind: 'ramp', rate: 0, seconds: 4 },
] as const;
const within = (times: readonly number[], fromMs: number, toMs: number): number =>
  times.filter((at) => at >= fromMs && at < toMs).length;

describe('stages', () => {
  it('ramp, hold, spike, ramp down: operations are what the rates add up to', () => {
    const scenario = { stages: [...stages] };
    expect(scheduledOperations(scenario)).toBe(500 + 2_000 + 400 + 800);
    expect([stagesSeconds(scenario), highestRate(scenario)]).toEqual([35, 400]);
  });

  it('each second has as many operations as the rate of that second', () => {
    const times = [...stagedArrivals(rateStages(stages), { worker: 0, workers: 1 }, null)];
    expect(times.length).toBe(3_700);
    // 0 to 100 a second within ten seconds: 5 operations in the first one, 95 in the last one.
    const counts = [within(times, 0, 1_000), within(times, 9_000, 10_000), within(times, 15_000, 16_000)];
    expect([...counts, within(times, 30_000, 31_000), within(times, 31_000, 35_000)]).toEqual([5, 95, 100, 400, 800]);
  });
});
