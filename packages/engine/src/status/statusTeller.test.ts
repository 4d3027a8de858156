import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Address, Height, Round } from '@prime/primitives';
import type { Peer, PeerMessage } from '../ports.ts';
import { VotingPeers } from '../peers/votingPeers.ts';
import { StatusTeller } from './statusTeller.ts';
import { VirtualTime } from '../testing/virtualTime.ts';

const [voter, follower] = ['0xaa', '0xbb'] as unknown as [Address, Address];
let time: VirtualTime;
let told: [atMs: number, to: Address][];
let voting: VotingPeers;
let head: Height;
let headSinceMs: number;
/** When a round began; null where none is under way. */
let roundSinceMs: number | null;
let round: Round;
let isVoting: boolean;
let teller: StatusTeller;
beforeEach(() => {
  time = new VirtualTime();
  told = [];
  voting = new VotingPeers();
  head = 5 as Height;
  headSinceMs = time.nowMs;
  roundSinceMs = null;
  round = 0 as Round;
  isVoting = true;
  const startMs = time.nowMs;
  teller = new StatusTeller({
    clock: { monotonicMs: () => time.nowMs, after: (delayMs, callback) => time.after(delayMs, callback) },
    network: {
      peers: () => [voter, follower].map((address) => ({ address }) as Peer),
      send: (to) => {
        told.push([time.nowMs - startMs, to]);
        return true;
      },
    },
    message: () => ({ kind: 'status' }) as PeerMessage,
    head: () => head,
    heights: () => ({
      sinceMs: headSinceMs,
      isTroubled: (longMs) => round > 0 || (roundSinceMs !== null && time.nowMs - roundSinceMs > longMs),
    }),
    votedAt: (peer) => voting.votedAt(peer),
    isVoting: () => isVoting,
  });
});
const pass = (ms: number): Promise<boolean> => {
  const endMs = time.nowMs + ms;
  time.after(ms, () => undefined);
  return time.runUntil(() => time.nowMs >= endMs, ms);
};
const vote = (height: number, validator = voter): void =>
  voting.onVote(voter, { validator, height: height as Height } as never);
const times = (to: Address): number[] => told.filter(([, peer]) => peer === to).map(([atMs]) => atMs);
/** A block is decided, on which the validator voted. */
const block = (): void => {
  vote(head + 1);
  head = (head + 1) as Height;
  headSinceMs = time.nowMs;
  teller.tellSoon();
};

describe('blocks that follow each other', () => {
  it('are told at once, and those that follow closely once, 250 ms later', async () => {
    for (let count = 0; count < 10; count++) {
      block();
      await pass(4);
    }
    expect(times(follower)).toEqual([0]);
    await pass(300);
    expect(times(follower)).toEqual([0, 250]);
  });

  it('are told at once where they are slow', async () => {
    for (let count = 0; count < 3; count++) {
      block();
      await pass(260);
    }
    expect(times(follower)).toEqual([0, 260, 520]);
  });

  it('are not told to who votes on them, whatever the clock reminds of', async () => {
    for (let count = 0; count < 5; count++) {
      block();
      await pass(500);
      teller.remind();
      await pass(480);
    }
    expect(times(voter)).toEqual([]);
    expect(times(follower)).toEqual([0, 980, 1960, 2940, 3920]);
  });

  it('are told to all by a node that does not vote: nothing else says where it stands', async () => {
    isVoting = false;
    for (let count = 0; count < 3; count++) {
      block();
      await pass(260);
    }
    expect([times(voter), times(follower)]).toEqual([
      [0, 260, 520],
      [0, 260, 520],
    ]);
  });

  it('are told to who voted on the one before and not on the newest', async () => {
    block();
    await pass(260);
    head = (head + 1) as Height;
    headSinceMs = time.nowMs;
    teller.tellSoon();
    expect(times(voter)).toEqual([260]);
  });
});

describe('a head that stands still', () => {
  it('is told to all once it is two seconds old, and each second from then on', async () => {
    block();
    for (let count = 0; count < 40; count++) {
      await pass(100);
      teller.remind();
    }
    expect(times(voter)).toEqual([2000, 3000, 4000]);
    expect(times(follower)).toEqual([0, 1000, 2000, 3000, 4000]);
  });

  it('is told to all sooner where rounds last: half a second', async () => {
    block();
    for (let count = 0; count < 25; count++) {
      if (count === 4) roundSinceMs = time.nowMs;
      await pass(100);
      teller.remind();
    }
    expect(times(voter)).toEqual([1000, 2000]);
  });

  it('is told to all when a later round begins, and not with the first one', async () => {
    block();
    await pass(40);
    teller.onRound(0 as Round);
    await pass(10);
    expect(times(voter)).toEqual([]);
    round = 1 as Round;
    teller.onRound(round);
    // Before anything else would be told again, the height may be over.
    expect(times(voter)).toEqual([50]);
    round = 0 as Round;
    await pass(900);
    expect(times(voter)).toEqual([50]);
  });

  it('is told by a timer that is early, too', async () => {
    block();
    roundSinceMs = time.nowMs;
    for (let count = 0; count < 3; count++) {
      await pass(999);
      teller.remind();
    }
    expect(times(voter)).toEqual([999, 1998, 2997]);
  });

  it('is told to whoever is there when the node begins', () => {
    teller.remind();
    teller.remind();
    expect(told).toEqual([
      [0, voter],
      [0, follower],
    ]);
  });
});

describe('who votes', () => {
  it('is who says so of itself, up to the newest height, until it disconnects', () => {
    vote(7, follower);
    expect(voting.votedAt(voter)).toBe(0);
    for (const height of [7, 9, 8]) vote(height);
    expect(voting.votedAt(voter)).toBe(9);
    voting.forget(voter);
    expect(voting.votedAt(voter)).toBe(0);
  });
});

it('says nothing more once it is stopped', async () => {
  teller.remind();
  teller.tellSoon();
  teller.stop();
  teller.tellSoon();
  teller.onRound(1 as Round);
  await pass(400);
  expect(times(follower)).toEqual([0]);
});
