import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { type Knee, searchKnee, type SearchBounds } from './searchKnee.ts';

const bounds: SearchBounds = { from: 100, to: 100_000, closeness: 1.1, trialsMax: 40, spoiledMax: 5 };

/** A network whose knee is known; a trial errs with a probability. */
const search = (knee: number, errs: () => boolean = () => false, more: Partial<SearchBounds> = {}): Promise<Knee> =>
  searchKnee({ ...bounds, ...more }, (rate) => {
    const holds = rate <= knee !== errs();
    return Promise.resolve({
      rate,
      got: Math.min(rate, knee),
      p99Ms: 1,
      errorShare: 0,
      holds,
      spoiled: false,
      why: '',
    });
  });

describe('searchKnee', () => {
  it.each([101, 777, 1_600, 1_601, 54_321])('finds a knee at %d within the interval that it tells', async (knee) => {
    const { rate, low, high, trials } = await search(knee);
    expect(low).toBeLessThanOrEqual(knee * 1.03);
    expect(high).toBeGreaterThanOrEqual(knee * 0.97);
    expect(high / low).toBeLessThanOrEqual(1.1);
    expect(Math.abs(rate / knee - 1)).toBeLessThan(0.1);
    expect(trials.length).toBeLessThan(30);
  });

  it('where one of ten trials is wrong, the interval holds the knee nineteen times of twenty', async () => {
    const prng = createPrng(26);
    let right = 0;
    const rounds = 300;
    for (let round = 0; round < rounds; round++) {
      const knee = 150 * 2 ** (prng.below(9_000) / 1_000);
      const { low, high } = await search(knee, () => prng.chance(1, 10), { trialsMax: 60 });
      // The grid has 2 % between its points.
      if (low <= knee * 1.022 && high >= knee / 1.022) right++;
    }
    expect(right / rounds).toBeGreaterThan(0.93);
  });

  it('tries no rate far above the knee before it has doubled its way there, and none above its limit', async () => {
    const { trials } = await search(3_000);
    expect(Math.max(...trials.map(({ rate }) => rate))).toBeLessThanOrEqual(6_400);
    const held = await search(1e9, () => false, { to: 5_000 });
    expect(Math.max(...held.trials.map(({ rate }) => rate))).toBe(5_000);
    expect(held.high).toBeGreaterThanOrEqual(5_000);
  });

  it('a network on which nothing holds has its knee below the first rate', async () => {
    const { high } = await search(0);
    expect(high).toBeLessThanOrEqual(100);
  });

  it('learns nothing from trials that the generator spoiled, and ends when there are many of them', async () => {
    const spoiledAbove = (most: number, bounds_: Partial<SearchBounds>) =>
      searchKnee({ ...bounds, ...bounds_ }, (rate) => {
        const spoiled = rate > most;
        const trial = { rate, got: rate, p99Ms: 1, errorShare: 0, holds: !spoiled, spoiled, why: '' };
        return Promise.resolve(trial);
      });
    const { trials, high } = await spoiledAbove(1_000, {});
    expect(trials.filter(({ spoiled }) => spoiled)).toHaveLength(5);
    // Nothing was heard of a rate that does not hold.
    expect(high).toBeGreaterThan(2_000);
    expect((await spoiledAbove(1_000, { spoiledMax: 1 })).trials).toHaveLength(5);
  });

  it('stops when it has had its trials', async () => {
    const { trials } = await search(777, () => false, { trialsMax: 4 });
    expect(trials).toHaveLength(4);
  });

  it.each<Partial<SearchBounds>>([{ from: 0 }, { to: 99 }, { closeness: 1 }, { trialsMax: 0 }, { spoiledMax: 0 }])(
    'refuses %j',
    async (wrong) => {
      await expect(search(1, () => false, wrong)).rejects.toThrow(RangeError);
    },
  );
});
