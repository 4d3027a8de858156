import { describe, expect, it } from '@jest/globals';
import type { Block, Proposal, Vote } from '@prime/codec';
import type { Input, TimeoutStep } from '@prime/consensus';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import { loggedInput } from './loggedInput.ts';

const [self, other] = ['0xaa', '0xbb'] as unknown as [Address, Address];
const block = { transactions: [] } as unknown as Block;
const blockHash = '0x01' as Hash;
const entryOf = (input: Input) =>
  loggedInput(input, {
    height: 7 as Height,
    version: 3,
    self,
    blockOf: (hash) => (hash === blockHash ? block : (null as never)),
  });
const voteBy = (validator: Address): Vote => ({ type: 'prevote', validator }) as Vote;
const proposalBy = (proposer: Address): Proposal => ({ proposer, blockHash }) as Proposal;

describe('what the log says of an input', () => {
  it('the start names the height and the version of its rules', () => {
    expect(entryOf({ kind: 'startRound', round: 0 as Round })).toEqual({ kind: 'start', height: 7, version: 3 });
  });

  it('steps that time out are logged, and not what is said again for its own sake', () => {
    const timeout = (step: TimeoutStep) =>
      entryOf({ kind: 'timeout', timeout: { height: 7 as Height, round: 2 as Round, step } });
    expect(timeout('prevote')).toEqual({ kind: 'timeout', round: 2, step: 'prevote' });
    expect(timeout('rebroadcast')).toBeNull();
  });

  it('messages of others are logged, proposals with their blocks', () => {
    expect(entryOf({ kind: 'vote', vote: voteBy(other) })).toEqual({ kind: 'vote', vote: voteBy(other) });
    const votes = [voteBy(other), voteBy(self)];
    expect(entryOf({ kind: 'voteCertificate', votes })).toEqual({ kind: 'votes', votes });
    const proposal = proposalBy(other);
    expect(entryOf({ kind: 'proposal', proposal, validity: 'untimely' })).toEqual({
      kind: 'proposal',
      proposal,
      block,
      validity: 'untimely',
    });
  });

  it('own messages are not: they were logged when they were signed', () => {
    expect(entryOf({ kind: 'vote', vote: voteBy(self) })).toBeNull();
    expect(entryOf({ kind: 'proposal', proposal: proposalBy(self), validity: 'valid' })).toBeNull();
    expect(entryOf({ kind: 'ownValue', round: 0 as Round, blockHash })).toBeNull();
  });

  it('a proposal that nobody judged is a mistake of the caller', () => {
    expect(() => entryOf({ kind: 'proposal', proposal: proposalBy(other), validity: 'unknown' })).toThrow('judged');
  });
});
