import { describe, expect, it } from '@jest/globals';
import type { Coverage } from '../coverage.ts';
import { enginesOptionsOfSeed, networkOptionsOfSeed } from '../simulateNetwork.ts';
import { expectSeen, range, runsOf } from '../testing.ts';

const { expectPassed, expectSame } = runsOf(enginesOptionsOfSeed);
const { run: runNetwork } = runsOf(networkOptionsOfSeed);

const least: Partial<Coverage> = {
  crashes: 20,
  powerCuts: 3,
  lostStates: 3,
  laterRounds: 50,
  actionsIncluded: 200,
  transactionsIncluded: 200,
  writesAcknowledged: 200,
  manyRecordsEnded: 20,
  memberChanges: 5,
  convictions: 1,
};

describe('networks that execute with the real EVM, order book and staking, and users who transact', () => {
  it('the roots are the same everywhere, what was acknowledged stays, and no wei are made or lost', async () => {
    expectSeen(await expectPassed(range(3, 6)), least);
  });

  it('an action that a later block holds again is found where it stands first', async () => {
    // A proposer that had lost its memory of it proposed it again, and its result was from then on that of the second time.
    expect((await runNetwork(33, { engines: 'real' })).violation).toBeNull();
  });

  it('a node whose state differs stops, says so, and the others go on', async () => {
    for (const seed of [2, 4]) {
      const { violation, trace } = await runNetwork(seed, { engines: 'real', hasDivergent: true, validatorCount: 4 });
      expect([seed, violation]).toEqual([seed, null]);
      const ends = trace.filter((line) => / d0 +ends: /.test(line));
      expect(ends.length).toBeGreaterThan(0);
      expect(ends.join()).toMatch(/own state differs|a block that is invalid here|the state says/);
    }
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(2));
});
