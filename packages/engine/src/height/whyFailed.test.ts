import { describe, expect, it } from '@jest/globals';
import type { Vote } from '@prime/codec';
import type { ConsensusMachine } from '@prime/consensus';
import type { Hash, Round } from '@prime/primitives';
import { whyFailed } from './whyFailed.ts';

const block = `0x${'ab'.repeat(32)}` as Hash;

function why(given: { readonly hasProposal?: boolean; readonly prevotes?: readonly (Hash | null)[]; polka?: boolean }) {
  const { hasProposal = true, prevotes = [], polka = false } = given;
  const machine = {
    proposalsFor: () => (hasProposal ? [{ blockHash: block }] : []),
    votesFor: () => prevotes.map((blockHash) => ({ type: 'prevote', blockHash }) as unknown as Vote),
    hasQuorum: () => polka,
  } as unknown as ConsensusMachine;
  return whyFailed(machine, 0 as Round);
}

describe('why a round decided nothing', () => {
  it.each([
    [{ hasProposal: false }, 'no proposal came in time'],
    [{ prevotes: [block, block, block], polka: true }, 'precommits came late'],
    [{ prevotes: [block, null, null] }, '2 of 3 prevotes were for no block'],
    [{ prevotes: [block, block] }, 'prevotes came late'],
  ])('%o', (given, words) => {
    expect(why(given)).toBe(words);
  });
});
