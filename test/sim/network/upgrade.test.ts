import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { type Coverage, type FaultName, noCoverage } from './coverage.ts';
import { upgradeMutants, upgradeMutantSeeds } from './mutants.ts';
import { type NetworkResult, simulateNetwork, upgradeOptionsOfSeed } from './simulateNetwork.ts';
import type { NetworkOptions } from './world.ts';

const crypto = await createCryptoProvider();
const run = (seed: number, changes: Partial<NetworkOptions> = {}): Promise<NetworkResult> =>
  simulateNetwork({ ...upgradeOptionsOfSeed(seed), ...changes }, crypto);

const runs = 16;
const least: Partial<Coverage> = {
  crashes: 40,
  upgradeStops: 8,
  programsInstalled: 16,
  blocksOfNewVersion: runs,
};

describe('networks that move to another protocol version while everything fails, some with an old program', () => {
  it('the version changes at its block, nobody signs under one that it does not know, and all go on', async () => {
    const seen = noCoverage();
    for (let seed = 1; seed <= runs; seed++) {
      const { violation, trace, seen: more } = await run(seed);
      expect([seed, violation, violation === null ? [] : trace.slice(-60)]).toEqual([seed, null, []]);
      for (const [what, times] of Object.entries(more)) seen[what as FaultName] += times;
    }
    // A simulation in which nothing happens proves nothing.
    expect(Object.entries(least).filter(([what, times]) => seen[what as FaultName] < times)).toEqual([]);
  }, 240_000);

  it('the same seed gives the same run, to the last line of its trace', async () => {
    expect(await run(3)).toEqual(await run(3));
  }, 240_000);

  it.each(upgradeMutants.map(({ name }) => [name]))(
    'a program that gets it wrong is noticed: %s',
    async (name) => {
      const { changes } = upgradeMutants.find((mutant) => mutant.name === name)!;
      const findings: string[] = [];
      for (let seed = 1; seed <= upgradeMutantSeeds && findings.length === 0; seed++) {
        const { violation } = await run(seed, changes);
        if (violation !== null) findings.push(violation);
      }
      expect(findings).toHaveLength(1);
    },
    240_000,
  );
});
