import { describe, expect, it } from '@jest/globals';
import { copyHunts, departureHunts } from '../hunts.ts';
import { newSeeds } from '../kinds.ts';
import { copyOptionsOfSeed, departureOptionsOfSeed } from './simulateNetwork.ts';
import { expectCaught, expectSeen, range, runsOf } from './testing.ts';

describe('a validator that leaves, joins or rotates its key while another one is down', () => {
  const { expectPassed, expectSame } = runsOf(departureOptionsOfSeed);

  it('the others go on, and whoever was away comes back', async () => {
    const seen = await expectPassed([...range(1, 12), ...range(newSeeds('departures', 6), 6)]);
    expectSeen(seen, { departures: 4, joins: 4, rotations: 4, memberChanges: 17, crashes: 18, peersRefused: 1 });
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(3));

  it.each(departureHunts)('is noticed: $name', (planted) => expectCaught(planted));
});

describe('a copy of a home that is started beside the validator', () => {
  const { expectPassed } = runsOf(copyOptionsOfSeed);

  it('ends before it signs, and the validator goes on: 20 times', async () => {
    const seen = await expectPassed([...range(1, 16), ...range(newSeeds('copies', 4), 4)]);
    expect(seen.copiesStarted).toBe(20);
    expectSeen(seen, { copiesStopped: 14, identitiesInUse: 40 });
  });

  // Was taken for a signature of its own: a vote of the validator that the copy, which watched, sent again.
  it('may pass on what the validator signed', async () => {
    const seen = await expectPassed([945_803_321]);
    expect(seen.copiesStarted).toBe(1);
  });

  it.each(copyHunts)('is noticed: $name', (planted) => expectCaught(planted));
});
