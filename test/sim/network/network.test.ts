import { describe, expect, it } from '@jest/globals';
import { createCryptoProvider } from '@prime/crypto';
import { HarnessError } from '../finding.ts';
import { nodeHunts } from '../hunts.ts';
import { newSeeds } from '../kinds.ts';
import type { Coverage } from './coverage.ts';
import { harsh } from './mutants.ts';
import { networkOptionsOfSeed, simulateNetwork } from './simulateNetwork.ts';
import { expectCaught, expectSeen, range, runsOf } from './testing.ts';

const { expectPassed, expectSame } = runsOf(networkOptionsOfSeed);

/** Seeds in which a liar is asked for a block and answers with a certificate that is wrong, which is rare. */
const lyingAnswers = [487, 530, 678];

/** What these and 80 other runs see at the least; for most of it a fraction of what they did when this was written. */
const least: Partial<Coverage> = {
  crashes: 200,
  crashesInOperation: 10,
  replays: 120,
  resumedWithoutLog: 3,
  powerCuts: 50,
  tornWrites: 8,
  droppedSectors: 300,
  corruptedSectors: 60,
  lostStates: 30,
  foldersLost: 5,
  messagesDropped: 1_000,
  messagesDoubled: 1_000,
  messagesOvertaken: 5_000,
  messagesCut: 3_000,
  cutHalves: 40,
  cutAlone: 40,
  cutRings: 20,
  cutBridges: 20,
  cutOneWay: 20,
  clocksOff: 4,
  clockJumps: 10,
  twins: 4,
  forgetful: 3,
  liars: 3,
  silences: 100,
  otherVotes: 30,
  doubleVotes: 30,
  voteFloods: 30,
  otherBlocks: 5,
  doubleBlocks: 5,
  invalidBlocks: 5,
  wrongCertificates: 1,
  forgedBlocks: 1,
  equivocators: 10,
  laterRounds: 300,
  actionsIncluded: 500,
};

describe('networks of whole nodes, with links, clocks, disks and validators that fail', () => {
  it('agree, keep what they acknowledged and go on (fixed seeds)', async () => {
    expectSeen(await expectPassed([...range(1, 80), ...lyingAnswers]), least);
  });

  it('agree, keep what they acknowledged and go on (new seeds in every run)', async () => {
    await expectPassed(range(newSeeds('network simulation', 15), 15));
  });

  it('hold with real signatures', async () => {
    await expectPassed(range(1, 4), { realCrypto: true });
  });

  it('a quorum counts although one of its voters was first heard with another vote', async () => {
    // Three of four locked in round 0 on different grounds, and the fourth lied: each relay of the polka was taken for old.
    await expectPassed([73, 162, 473, 798, 823, 852, 924]);
  });

  it('a validator whose clock is an hour behind vouches for actions that do not expire before their block', async () => {
    await expectPassed([3, 19]);
  });

  it('a log that holds a block against the rules is replayed like any other', async () => {
    await expectPassed([123, 128, 138]);
  });

  it('no time passes while a log is replayed: a lock that is in it is not forgotten', async () => {
    // The wait of no time after a round that nobody could decide any more was over before the block of that round was judged again.
    await expectPassed([20_001_129]);
  });

  it('the same seed gives the same run, to the last line of its trace', () => expectSame(5, 8, 27));
});

describe('nodes that do not keep what they must', () => {
  it('none: the same seeds under the same conditions pass', async () => {
    // As far as the damage that takes longest to show.
    await expectPassed(range(1, 30), harsh);
    await expectPassed(range(1, 6), { ...harsh, faultsMs: 16_000, validatorCount: 4 });
  });

  it.each(nodeHunts)('$name: noticed', (planted) => expectCaught(planted));
});

describe('the simulation itself', () => {
  it('an error of its own is no finding: it ends the run, and tells seed and trace', async () => {
    const broken = (): never => {
      throw new TypeError('planted');
    };
    const run = simulateNetwork(
      { ...networkOptionsOfSeed(1), realCrypto: true },
      { ...(await createCryptoProvider()), sign: broken },
    );
    await expect(run).rejects.toThrow(HarnessError);
    await expect(run).rejects.toThrow(/starts at block 0[^]*failed with seed 1: TypeError: planted/);
  });
});
