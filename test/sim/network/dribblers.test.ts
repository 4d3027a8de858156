import { describe, it } from '@jest/globals';
import { dribblerOptionsOfSeed } from './simulateNetwork.ts';
import { expectSeen, range, runsOf } from './testing.ts';

const { expectPassed } = runsOf(dribblerOptionsOfSeed);

describe('networks in which two peers answer requests for blocks late and with little', () => {
  it('a follower is banned for it, a validator keeps its links, nobody honest is, and whoever lags goes on', async () => {
    expectSeen(await expectPassed(range(5, 4)), { dribbles: 120, dribblersBanned: 2, dribblersSpared: 2 });
  });
});
