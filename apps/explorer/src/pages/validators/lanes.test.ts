import { describe, expect, it } from '@jest/globals';
import type { CommitSummary } from '@prime/sdk';
import { cellStates, cellWords, laneOf, recordOf } from './lanes.ts';

const commit = (number: number, signers: string, proposer: string, missed = ''): CommitSummary =>
  ({
    blockNumber: BigInt(number),
    round: missed.length,
    proposer,
    signers: signers.split(''),
    missedTurns: missed.split(''),
  }) as unknown as CommitSummary;
/** Newest first. */
const commits = [commit(4, 'bcd', 'b', 'a'), commit(3, 'bcd', 'd'), commit(2, 'abc', 'a'), commit(1, 'bcd', 'c')];

describe('a lane', () => {
  it('has what a validator did for the newest blocks, oldest first', () => {
    expect(
      laneOf('a', commits, 3).map(({ number, hasSigned, isProposer, missedTurns }) => [
        number,
        hasSigned,
        isProposer,
        missedTurns,
      ]),
    ).toEqual([
      [2n, true, true, 0],
      [3n, false, false, 0],
      [4n, false, false, 1],
    ]);
  });

  it('shows who is away as away since the last block that it signed', () => {
    const lane = laneOf('a', commits, 4);
    expect(cellStates(lane, true)).toEqual(['late', 'proposed', 'missing', 'missing']);
    expect(cellStates(lane, false)).toEqual(['late', 'proposed', 'late', 'late']);
  });

  it('is summed up', () => {
    expect(recordOf('a', commits)).toEqual({ blocks: 4, signed: 1, proposed: 1, missedTurns: 1 });
    expect(recordOf('a', [])).toEqual({ blocks: 0, signed: 0, proposed: 0, missedTurns: 0 });
  });

  it('is told in words', () => {
    expect(laneOf('a', commits, 3).map(cellWords)).toEqual([
      'Block 2: proposed, signed',
      'Block 3: not in the certificate',
      'Block 4: not in the certificate, its turn failed, decided in round 1',
    ]);
  });
});
