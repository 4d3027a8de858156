import { describe, it } from '@jest/globals';
import { membershipHunts } from '../../hunts.ts';
import { membershipOptionsOfSeed } from '../simulateNetwork.ts';
import { expectCaught, expectSeen, range, runsOf } from '../testing.ts';

const { expectPassed, expectSame } = runsOf(membershipOptionsOfSeed);

describe('networks whose validators come, go, change keys and are convicted while everything fails', () => {
  it('each block is decided by the validators that the blocks before it made, and a twin is convicted once', async () => {
    expectSeen(await expectPassed(range(1, 8)), { memberChanges: 15, convictions: 4 });
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(3));

  it.each(membershipHunts)('a node that gets it wrong is noticed: $name', (planted) => expectCaught(planted));
});
