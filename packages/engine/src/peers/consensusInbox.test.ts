import { expect, it } from '@jest/globals';
import type { Vote } from '@prime/codec';
import type { Address, Height, Round } from '@prime/primitives';
import { ConsensusInbox } from './consensusInbox.ts';
import type { HeightHost } from '../height/heightHost.ts';
import type { ConsensusMessage } from '../ports.ts';

const [friend, liar, stranger] = ['aa', 'bb', 'cc'].map((byte) => `0x${byte.repeat(20)}` as Address) as [
  Address,
  Address,
  Address,
];

const voteAt = (height: number, validator: Address): ConsensusMessage => {
  const vote: Vote = {
    type: 'prevote',
    height: height as Height,
    round: 0 as Round,
    blockHash: null,
    validator,
    signature: new Uint8Array(65),
  };
  return { kind: 'vote', vote };
};

/** Block 4 is the newest one: height 5 is in progress. */
function open() {
  const heard: [Address, number][] = [];
  const late: [Address, number][] = [];
  const host = {
    onMessage: (from: Address, message: ConsensusMessage) =>
      void heard.push([from, message.kind === 'vote' ? message.vote.height : 0]),
  } as unknown as HeightHost;
  const inbox = new ConsensusInbox({
    tip: { height: 4, validators: { validators: [] } },
    membership: { noteLate: () => undefined, isValidator: (address: Address) => address !== stranger },
    paths: { speaksForOthers: () => false, onReceived: () => undefined, onLate: () => undefined },
    host: () => host,
    evidence: { onLateVote: (from: Address, vote: Vote) => void late.push([from, vote.height]) },
    isMovingHead: () => false,
    onActivity: () => undefined,
  } as never);
  const next = (): [Address, number][] => {
    heard.length = 0;
    inbox.open(6 as Height, host);
    return heard;
  };
  return { inbox, heard, late, next };
}

it('what is of this height goes to it, and what is over goes nowhere but to who looks for contradictions', () => {
  const { inbox, heard, late, next } = open();
  for (const height of [1, 4, 5]) inbox.receive(friend, voteAt(height, friend));
  expect(heard).toEqual([[friend, 5]]);
  expect(late).toEqual([
    [friend, 1],
    [friend, 4],
  ]);
  expect(next()).toEqual([]);
});

it('of heights to come only the next one is kept, and nothing of a later one makes room for itself', () => {
  const { inbox, next } = open();
  inbox.receive(friend, voteAt(6, friend));
  for (const height of [7, 8, 1_000_000, Number.MAX_SAFE_INTEGER]) inbox.receive(liar, voteAt(height, liar));
  expect(next()).toEqual([[friend, 6]]);
});

it('of the next height eight messages of each validator are kept, and none of anybody else', () => {
  const { inbox, next } = open();
  for (let count = 0; count < 50; count++) for (const from of [liar, stranger]) inbox.receive(from, voteAt(6, from));
  inbox.receive(friend, voteAt(6, friend));
  expect(next()).toEqual([...Array.from({ length: 8 }, () => [liar, 6]), [friend, 6]]);
});
