import { expect, it } from '@jest/globals';
import type { Vote } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { ChainTip } from './chainTip.ts';
import { Membership, type MembershipOptions } from './membership.ts';
import type { RememberingProvider } from '../signing/verifiedSignatures.ts';

const peer = `0x${'22'.repeat(20)}` as Address;
const blockHash = `0x${'11'.repeat(32)}` as Hash;
const noValidators = { validators: [], totalPower: 0n } as unknown as ChainTip['validators'];

const vote = (height: number, type: Vote['type'], hash: Hash | null = blockHash): Vote => ({
  type,
  height: height as Height,
  round: 0 as Round,
  blockHash: hash,
  validator: peer,
  signature: new Uint8Array(65),
});

/** At height 5, with what it counts. */
function counting() {
  const told: string[] = [];
  const tip = { height: 5, validators: noValidators, nextValidators: noValidators, ownValidators: noValidators };
  const membership = new Membership({
    tip: tip as unknown as ChainTip,
    signers: [],
    domain: {} as MembershipOptions['domain'],
    provider: {} as MembershipOptions['provider'],
    metrics: { lateVote: () => told.push('late'), voted: ({ type }) => told.push(type) },
  });
  return { membership, told };
}

it('a vote is late once its block is decided here', () => {
  const { membership, told } = counting();
  membership.noteLate(peer, vote(6, 'prevote'), false);
  membership.noteLate(peer, vote(7, 'precommit'), false);
  expect(told).toEqual([]);
  membership.noteLate(peer, vote(5, 'precommit'), false);
  membership.noteLate(peer, vote(3, 'prevote', null), false);
  expect(told).toEqual(['late', 'late']);
});

it('each own vote is told, for nothing as well', () => {
  const { membership, told } = counting();
  const provider = {} as RememberingProvider;
  membership.noteSigned(vote(6, 'prevote', null), provider);
  membership.noteSigned(vote(6, 'precommit', null), provider);
  membership.noteSigned(vote(6, 'precommit'), provider);
  expect(told).toEqual(['prevote', 'precommit', 'precommit']);
});
