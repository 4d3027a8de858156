import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import type { RunReport } from '../report/runReport.ts';
import { syntheticReport } from '../testing/syntheticReport.ts';
import { pairedFigures } from './turns.ts';

const clean = syntheticReport({ seed: 1 });

/** The same run with another throughput. */
const withCommitted = (committed: number): RunReport => ({ ...clean, totals: { ...clean.totals, committed } });
const throughput = (rounds: readonly (readonly [number, number])[]) =>
  pairedFigures(rounds.map(([a, b]) => [withCommitted(a), withCommitted(b)])).figures.find(({ name }) =>
    name.startsWith('operations in blocks'),
  )!;

describe('pairedFigures', () => {
  it('of two alike is one, with an interval of nothing', () => {
    const { ratio, interval } = throughput([
      [1000, 1000],
      [3000, 3000],
    ]);
    expect(ratio).toBeCloseTo(1, 12);
    expect(interval![0]).toBeCloseTo(1, 12);
    expect(interval![1]).toBeCloseTo(1, 12);
  });

  it('what both sides of a round share cancels', () => {
    const { ratio, interval } = throughput([
      [1000, 1100],
      [5000, 5500],
      [200, 220],
    ]);
    expect(ratio).toBeCloseTo(1.1, 12);
    expect(interval![1] - interval![0]).toBeLessThan(1e-9);
  });

  it('holds the true ratio nineteen times of twenty', () => {
    const prng = createPrng(9);
    // Sum of twelve uniform numbers: nearly normal.
    const noise = (): number => Array.from({ length: 12 }, () => prng.next() / 2 ** 32).reduce((sum, x) => sum + x, -6);
    let right = 0;
    const trials = 1_000;
    for (let trial = 0; trial < trials; trial++) {
      const rounds = Array.from({ length: 5 }, () => {
        const a = 10_000 * Math.exp(0.5 * noise());
        return [a, a * 1.2 * Math.exp(0.1 * noise())] as const;
      });
      const [low, high] = throughput(rounds).interval!;
      if (low <= 1.2 && high >= 1.2) right++;
    }
    expect(right / trials).toBeGreaterThan(0.93);
    expect(right / trials).toBeLessThan(0.97);
  });

  it('one round has no interval', () => {
    expect(throughput([[10, 20]])).toMatchObject({ ratio: 2, interval: null });
  });

  it('says so where there is no round', () => {
    expect(pairedFigures([])).toEqual({ withheld: ['no round came to its end'], figures: [] });
  });

  it('gives no figure where a round is not clean or its generator was late', () => {
    const late = { ...clean, generator: { ...clean.generator, unfit: 'it was late' } };
    const { withheld, figures } = pairedFigures([
      [clean, clean],
      [clean, late],
    ]);
    expect(figures).toEqual([]);
    expect(withheld.join()).toMatch(/round 2, B: .*late/);
  });
});
