import { describe, expect, it } from '@jest/globals';
import { coreHuntOptions, coreHunts, coreHuntSeeds } from './hunts.ts';
import { newSeeds } from './kinds.ts';
import { expectCaught } from './network/testing.ts';
import { optionsOfSeed, type SimulationResult, simulate } from './simulation.ts';

/** Runs seeds until one fails; the failure carries its seed and the end of its trace. */
function runSeeds(first: number, count: number): SimulationResult[] {
  return Array.from({ length: count }, (_, index) => {
    const result = simulate(optionsOfSeed(first + index));
    if (result.violation !== null)
      throw new Error(
        `${result.violation}\nrepeat with: npm run sim -- --seeds 1 --seed ${first + index}\n${result.trace.slice(-80).join('\n')}`,
      );
    return result;
  });
}

describe('clusters in virtual time', () => {
  it('agree and go on through loss, delay, partitions, crashes and faulty validators (fixed seeds)', () => {
    const results = runSeeds(1, 300);
    // A simulator in which nothing goes wrong proves nothing.
    const total = (pick: (seen: SimulationResult['seen']) => number): number =>
      results.reduce((sum, { seen }) => sum + pick(seen), 0);
    expect(total((seen) => seen.crashes)).toBeGreaterThan(100);
    expect(total((seen) => seen.evidence)).toBeGreaterThan(100);
    expect(total((seen) => seen.relayedCertificates)).toBeGreaterThan(100);
    expect(total((seen) => seen.fetchedProposals)).toBeGreaterThan(50);
    expect(total((seen) => seen.locksHeld)).toBeGreaterThan(50);
    expect(Math.max(...results.map(({ seen }) => seen.decidedRoundMax))).toBeGreaterThan(5);
  });

  it('agree and go on (new seeds in every run)', () => {
    expect(runSeeds(newSeeds('simulation', 40), 40)).toHaveLength(40);
  });

  it('the same seed gives the same run, to the last line of its trace', () => {
    for (const seed of [7, 51, 114]) expect(simulate(optionsOfSeed(seed))).toEqual(simulate(optionsOfSeed(seed)));
  });
});

describe('damaged protocols are noticed', () => {
  it('the undamaged one passes under the same conditions', () => {
    for (let seed = 1; seed <= coreHuntSeeds; seed++)
      expect([seed, simulate(coreHuntOptions(seed)).violation]).toEqual([seed, null]);
  });

  it.each(coreHunts)('$name', (planted) => expectCaught(planted));
});
