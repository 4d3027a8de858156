import { expect } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { type Hunt, hunt } from '../hunts.ts';
import { addSeen } from '../kinds.ts';
import { type Coverage, type FaultName, noCoverage } from './coverage.ts';
import { type NetworkResult, simulateNetwork } from './simulateNetwork.ts';
import type { NetworkOptions } from './world.ts';

const crypto = await createCryptoProvider();

export const range = (first: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => first + index);

/** Runs of one kind, as tests want them. */
export function runsOf(optionsOfSeed: (seed: number) => NetworkOptions) {
  const run = (seed: number, changes: Partial<NetworkOptions> = {}): Promise<NetworkResult> =>
    simulateNetwork({ ...optionsOfSeed(seed), ...changes }, crypto);
  /** Of seeds that passed without changes: one of two equal runs is there already. */
  const passed = new Map<number, NetworkResult>();
  return {
    run,
    /** Nothing is violated. @returns what the runs saw, in sum */
    async expectPassed(seeds: readonly number[], changes: Partial<NetworkOptions> = {}): Promise<Coverage> {
      const seen = noCoverage();
      const found: string[] = [];
      for (const seed of seeds) {
        const result = await run(seed, changes);
        addSeen(seen, result.seen);
        if (Object.keys(changes).length === 0) passed.set(seed, result);
        if (result.violation !== null)
          found.push([...result.trace.slice(-100), `seed ${seed}: ${result.violation}`].join('\n'));
      }
      expect(found).toEqual([]);
      return seen;
    },
    /** The same seed gives the same run, to the last line of its trace. */
    async expectSame(...seeds: readonly number[]): Promise<void> {
      for (const seed of seeds) expect(await run(seed)).toEqual(passed.get(seed) ?? (await run(seed)));
    },
  };
}

/** A simulation in which nothing goes wrong proves nothing. */
export function expectSeen(seen: Coverage, least: Partial<Coverage>): void {
  expect(Object.entries(least).filter(([what, times]) => seen[what as FaultName] < times)).toEqual([]);
}

/** A planted bug is noticed, and for what it is. */
export async function expectCaught(planted: Hunt): Promise<void> {
  expect(await hunt(planted)).toMatchObject({ violation: expect.stringMatching(planted.expected) });
}
