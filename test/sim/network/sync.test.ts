import { describe, it } from '@jest/globals';
import { syncHunts } from '../hunts.ts';
import { syncOptionsOfSeed } from './simulateNetwork.ts';
import { expectCaught, expectSeen, range, runsOf } from './testing.ts';

const { expectPassed, expectSame } = runsOf(syncOptionsOfSeed);

describe('networks whose nodes begin with snapshots of peers, some of whom forge them, while everything fails', () => {
  it('nobody begins with a state that the others do not have, honest peers are not banned, and all go on', async () => {
    // Two newcomers in each run, and what those who lie do as long as it lasts.
    expectSeen(await expectPassed(range(5, 3)), {
      crashes: 20,
      joinedBySnapshot: 10,
      rejoinedBySnapshot: 4,
      snapshotsTaken: 30,
      snapshotsForged: 12,
      liarsBanned: 3,
      writesAcknowledged: 100,
    });
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(6));

  it.each(syncHunts)('a node that gets it wrong is noticed: $name', (planted) => expectCaught(planted));
});
