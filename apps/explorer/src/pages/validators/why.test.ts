import { describe, expect, it } from '@jest/globals';
import type { ConsensusStatus, Validator } from '@prime/sdk';
import { listNames, membershipOf } from './names.ts';
import { explain } from './why.ts';

const validators = ['a', 'b', 'c', 'd'].map((address) => ({ address, moniker: `node ${address}`, votingPower: 1n }));
const members = membershipOf(validators as unknown as readonly Validator[]);
const votes = (missing: readonly string[], nil: readonly string[] = []) => ({
  block: [],
  nil,
  missing,
  votingPower: 0n,
});
const late = (more: object): ConsensusStatus => {
  const currentRound = { round: 0, proposer: 'a', hasProposal: true, prevotes: votes([]), precommits: votes([]) };
  return {
    height: 8n,
    nowMs: 20_000,
    sinceMs: null,
    totalPower: 4n,
    currentRound,
    ...more,
  } as unknown as ConsensusStatus;
};
const why = (status: ConsensusStatus) => explain(status, { members, headMs: 10_000, intervalMs: 1_000 });

describe('why there is no block', () => {
  it('is no question while they come', () => {
    expect(why(late({ waitsFor: 'work', nowMs: 12_900 })).tone).toBe('good');
    expect(why(late({ waitsFor: 'work', nowMs: 13_100 })).tone).toBe('warn');
  });

  it('is that too few vote: they are named, and so is how it goes on', () => {
    const { tone, title, text } = why(late({ waitsFor: 'prevotes', currentRound: { prevotes: votes(['c', 'd']) } }));
    expect([tone, title]).toEqual(['bad', 'No block for 10.0 s: too few vote']);
    expect(text).toMatch(/^Only 50 % of the power votes.* node c and node d are missing\. Nothing is lost/);
  });

  it('is that a round failed, where enough vote', () => {
    const round = { precommits: votes(['d'], ['a', 'b', 'c']), prevotes: votes(['b', 'c', 'd']) };
    const { tone, text } = why(late({ waitsFor: 'precommits', currentRound: round }));
    expect([tone, text]).toEqual(['warn', expect.stringContaining('node a, node b and node c did not get a proposal')]);
  });

  it.each([
    ['proposal', 'It is the turn of node a'],
    ['execution', 'Block 8 is decided'],
    ['blocks', 'Others have newer blocks'],
    ['work', 'No round has begun'],
  ])('is told of: %s', (waitsFor, words) => {
    expect(why(late({ waitsFor })).text).toContain(words);
  });
});

describe('names', () => {
  it('are listed, many of them counted', () => {
    expect([[], ['a'], ['a', 'b'], ['a', 'b', 'c', 'd']].map(listNames)).toEqual([
      'nobody',
      'a',
      'a and b',
      'a, b, c and d',
    ]);
    expect(listNames(['a', 'b', 'c', 'd', 'e'])).toBe('a, b, c and 2 others');
  });

  it('stand for whom is known, and a share for their power', () => {
    expect([members.nameOf('a'), members.shareOf(['a', 'b'])]).toEqual(['node a', 0.5]);
    expect(membershipOf([]).shareOf(['a'])).toBe(0);
  });
});
