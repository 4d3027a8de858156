import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { membershipMutants, membershipMutantSeeds } from './mutants.ts';
import { membershipOptionsOfSeed, type NetworkResult, simulateNetwork } from './simulateNetwork.ts';
import type { NetworkOptions } from './world.ts';

const crypto = await createCryptoProvider();
const run = (seed: number, changes: Partial<NetworkOptions> = {}): Promise<NetworkResult> =>
  simulateNetwork({ ...membershipOptionsOfSeed(seed), ...changes }, crypto);

describe('networks whose validators come, go, change keys and are convicted while everything fails', () => {
  it('each block is decided by the validators that the blocks before it made, and a twin is convicted once', async () => {
    let [changes, convictions] = [0, 0];
    for (let seed = 1; seed <= 8; seed++) {
      const { violation, trace, seen } = await run(seed);
      expect([violation, violation === null ? [] : trace.slice(-60)]).toEqual([null, []]);
      changes += seen.memberChanges;
      convictions += seen.convictions;
    }
    // A simulation in which nothing happens proves nothing.
    expect(changes).toBeGreaterThanOrEqual(15);
    expect(convictions).toBeGreaterThanOrEqual(4);
  });

  it('the same seed gives the same run', async () => {
    expect(await run(3)).toEqual(await run(3));
  });

  it.each(membershipMutants.map(({ name }) => [name]))('a node that gets it wrong is noticed: %s', async (name) => {
    const { damage } = membershipMutants.find((mutant) => mutant.name === name)!;
    const findings: string[] = [];
    for (let seed = 1; seed <= membershipMutantSeeds && findings.length === 0; seed++) {
      const { violation } = await run(seed, { membershipDamage: damage, patienceMs: 60_000 });
      if (violation !== null) findings.push(violation);
    }
    expect(findings).toHaveLength(1);
  });
});
