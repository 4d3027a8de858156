import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { type Coverage, type FaultName, noCoverage } from './coverage.ts';
import { enginesOptionsOfSeed, type NetworkResult, networkOptionsOfSeed, simulateNetwork } from './simulateNetwork.ts';

const crypto = await createCryptoProvider();
const run = (seed: number): Promise<NetworkResult> => simulateNetwork(enginesOptionsOfSeed(seed), crypto);

const least: Partial<Coverage> = {
  crashes: 20,
  powerCuts: 3,
  lostStates: 3,
  laterRounds: 50,
  actionsIncluded: 200,
  transactionsIncluded: 200,
  writesAcknowledged: 200,
  memberChanges: 5,
  convictions: 1,
};

describe('networks that execute with the real EVM, order book and staking, and users who transact', () => {
  it('the roots are the same everywhere, what was acknowledged stays, and no wei are made or lost', async () => {
    const seen = noCoverage();
    for (let seed = 1; seed <= 6; seed++) {
      const { violation, trace, seen: more } = await run(seed);
      expect([seed, violation, violation === null ? [] : trace.slice(-60)]).toEqual([seed, null, []]);
      for (const [what, times] of Object.entries(more)) seen[what as FaultName] += times;
    }
    expect(Object.entries(least).filter(([what, times]) => seen[what as FaultName] < times)).toEqual([]);
  });

  it('an action that a later block holds again is found where it stands first', async () => {
    // A proposer that had lost its memory of it proposed it again, and its result was from then on that of the second time.
    expect((await simulateNetwork({ ...networkOptionsOfSeed(33), engines: 'real' }, crypto)).violation).toBeNull();
  });

  it('a node whose state differs stops, says so, and the others go on', async () => {
    for (const seed of [2, 4]) {
      const { violation, trace } = await simulateNetwork(
        { ...networkOptionsOfSeed(seed), engines: 'real', hasDivergent: true, validatorCount: 4 },
        crypto,
      );
      expect([seed, violation]).toEqual([seed, null]);
      const ends = trace.filter((line) => / d0 +ends: /.test(line));
      expect(ends.length).toBeGreaterThan(0);
      expect(ends.join()).toMatch(/own state differs|a block that is invalid here|the state says/);
    }
  });

  it('the same seed gives the same run, to the last line of its trace', async () => {
    expect(await run(2)).toEqual(await run(2));
  });
});
