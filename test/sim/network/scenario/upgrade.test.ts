import { describe, it } from '@jest/globals';
import { upgradeHunts } from '../../hunts.ts';
import { upgradeOptionsOfSeed } from '../simulateNetwork.ts';
import { expectCaught, expectSeen, range, runsOf } from '../testing.ts';

const { expectPassed, expectSame } = runsOf(upgradeOptionsOfSeed);
const runs = 16;

describe('networks that move to another protocol version while everything fails, some with an old program', () => {
  it('the version changes at its block, nobody signs under one that it does not know, and all go on', async () => {
    expectSeen(await expectPassed(range(1, runs)), {
      crashes: 40,
      upgradeStops: 8,
      programsInstalled: 16,
      blocksOfNewVersion: runs,
      // With the real engines.
      transactionsIncluded: 20,
    });
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(3));

  it.each(upgradeHunts)('a program that gets it wrong is noticed: $name', (planted) => expectCaught(planted));
});
