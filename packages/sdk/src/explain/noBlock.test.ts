import { describe, expect, it } from '@jest/globals';
import type { ConsensusStatus } from '../types/consensus.ts';
import { explainNoBlock, type NoBlockFacts, quorumOf, type Voter } from './noBlock.ts';

const validators = ['a', 'b', 'c', 'd'].map((address) => ({ address, moniker: `node ${address}`, votingPower: 1n }));
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
const why = (status: ConsensusStatus, more: object = {}) =>
  explainNoBlock({
    status,
    validators: validators as unknown as readonly Voter[],
    headMs: 10_000,
    intervalMs: 1_000,
    ...more,
  } as NoBlockFacts);

describe('why there is no block', () => {
  it('is no question while they come', () => {
    expect(why(late({ waitsFor: 'work', nowMs: 12_999 })).tone).toBe('good');
    expect(why(late({ waitsFor: 'work', nowMs: 13_000 })).tone).toBe('good');
    expect(why(late({ waitsFor: 'work', nowMs: 13_001 })).tone).toBe('warn');
  });

  it('is that too few vote: they are named with their power, and so is how it goes on', () => {
    const { tone, title, text } = why(late({ waitsFor: 'prevotes', currentRound: { prevotes: votes(['c', 'd']) } }));
    expect([tone, title]).toEqual(['bad', 'No block for 10.0 s: too few vote']);
    expect(text).toBe(
      'Only 50 % of the power votes, and more than two thirds have to: 2 of 4, where 3 are needed. ' +
        'node c and node d are missing, with a power of 2. Nothing is lost: as soon as a power of 1 more votes, blocks go on where they stopped.',
    );
  });

  it.each(['work', 'proposal'])(
    'whatever is waited for (%s), who can not be reached does not vote either',
    (waitsFor) => {
      const { tone, text } = why(late({ waitsFor }), { absent: ['b', 'c'] });
      expect(tone).toBe('bad');
      expect(text).toContain('node b and node c are missing');
      expect(text).toContain('no connection to node b and node c');
      expect(why(late({ waitsFor }), { absent: ['b'] }).title).not.toContain('too few');
    },
  );

  it('is that a round failed, where enough vote', () => {
    const round = { precommits: votes(['d'], ['a', 'b', 'c']), prevotes: votes(['b', 'c', 'd']) };
    const { tone, text } = why(late({ waitsFor: 'precommits', currentRound: round }));
    expect([tone, text]).toEqual(['warn', expect.stringContaining('node a, node b and node c did not get a proposal')]);
    const slow = { precommits: votes(['d']), prevotes: votes([]) };
    expect(why(late({ waitsFor: 'precommits', currentRound: slow })).text).toContain('75 % of the power has voted');
  });

  it.each([
    ['proposal', 'It is the turn of node a in round 0'],
    ['execution', 'Block 8 is decided'],
    ['blocks', 'Others have newer blocks'],
    ['work', 'No round has begun'],
  ])('is told of: %s', (waitsFor, words) => {
    expect(why(late({ waitsFor })).text).toContain(words);
  });

  it.each(['proposal', 'prevotes', 'precommits'])('between two rounds (%s) one is about to begin', (waitsFor) => {
    expect(why(late({ waitsFor, currentRound: null })).text).toBe('A round is about to begin.');
  });
});

describe('the power that decides', () => {
  it('is the least that is more than two thirds', () => {
    expect([1n, 2n, 3n, 4n, 6n, 7n].map(quorumOf)).toEqual([1n, 2n, 3n, 3n, 5n, 5n]);
  });
});
