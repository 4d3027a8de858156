import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { type Coverage, type FaultName, noCoverage } from './coverage.ts';
import { syncMutants, syncMutantSeeds } from './mutants.ts';
import { type NetworkResult, simulateNetwork, syncOptionsOfSeed } from './simulateNetwork.ts';
import type { NetworkOptions } from './world.ts';

const crypto = await createCryptoProvider();
const run = (seed: number, changes: Partial<NetworkOptions> = {}): Promise<NetworkResult> =>
  simulateNetwork({ ...syncOptionsOfSeed(seed), ...changes }, crypto);

/** Two newcomers in each run, and what those who lie do as long as it lasts. */
const least: Partial<Coverage> = {
  crashes: 20,
  joinedBySnapshot: 10,
  snapshotsTaken: 50,
  snapshotsForged: 15,
  liarsBanned: 3,
  writesAcknowledged: 100,
};

describe('networks whose nodes begin with snapshots of peers, some of whom forge them, while everything fails', () => {
  it('nobody begins with a state that the others do not have, honest peers are not banned, and all go on', async () => {
    const seen = noCoverage();
    for (let seed = 4; seed <= 8; seed++) {
      const { violation, trace, seen: more } = await run(seed);
      expect([seed, violation, violation === null ? [] : trace.slice(-60)]).toEqual([seed, null, []]);
      for (const [what, times] of Object.entries(more)) seen[what as FaultName] += times;
    }
    // A simulation in which nothing happens proves nothing.
    expect(Object.entries(least).filter(([what, times]) => seen[what as FaultName] < times)).toEqual([]);
  }, 240_000);

  it('the same seed gives the same run, to the last line of its trace', async () => {
    expect(await run(5)).toEqual(await run(5));
  }, 240_000);

  it.each(syncMutants.map(({ name }) => [name]))(
    'a node that gets it wrong is noticed: %s',
    async (name) => {
      const { changes } = syncMutants.find((mutant) => mutant.name === name)!;
      const findings: string[] = [];
      for (let seed = 1; seed <= syncMutantSeeds && findings.length === 0; seed++) {
        const { violation } = await run(seed, changes);
        if (violation !== null) findings.push(violation);
      }
      // Not by any failure: by what the node took for the state.
      expect(findings).toEqual([expect.stringMatching(/begins at block \d+ with root/)]);
    },
    240_000,
  );
});
