import type { Vote } from '@prime/codec';
import { createValidatorSet } from '@prime/consensus';
import { type Address, type Hash, type Height, parseAddress, type Round } from '@prime/primitives';
import { describe, expect, it } from '@jest/globals';
import { votedBlock } from './votedBlock.ts';

const addressOf = (index: number): Address => parseAddress(`0x${(index + 1).toString(16).padStart(40, '0')}`);
const set = createValidatorSet(
  [3n, 2n, 2n, 2n].map((power, index) => ({
    address: addressOf(index),
    signer: parseAddress(`0x${(index + 1).toString(16).padStart(2, '0')}${'0'.repeat(38)}`),
    publicKey: new Uint8Array(33),
    stake: power,
    power,
    moniker: `v${index}`,
    proposerPriority: 0n,
  })),
);
const [one, other] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as [Hash, Hash];
const vote = (validator: number, blockHash: Hash | null, type: Vote['type'] = 'prevote'): Vote => ({
  type,
  height: 5 as Height,
  round: 0 as Round,
  blockHash,
  validator: addressOf(validator),
  signature: new Uint8Array(65),
});

describe('the block that a round votes for', () => {
  it.each<[string, readonly Vote[], Hash | null]>([
    ['no votes', [], null],
    ['a third of the power', [vote(0, one)], null],
    ['more than a third', [vote(1, one), vote(2, one)], one],
    ['one validator with votes of both types', [vote(1, one), vote(1, one, 'precommit')], null],
    ['more than a third, for different blocks', [vote(1, one), vote(2, other)], null],
    ['more than a third for nil', [vote(1, null), vote(2, null), vote(3, null)], null],
    ['a stranger', [vote(1, one), vote(8, one)], null],
    ['two blocks, one of them with more than a third', [vote(1, one), vote(2, other), vote(3, other)], other],
  ])('%s', (_name, votes, expected) => {
    expect(votedBlock(votes, set)).toBe(expected);
  });
});
