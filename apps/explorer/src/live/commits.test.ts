import { describe, expect, it } from '@jest/globals';
import type { CommitSummary } from '@prime/sdk';
import { mergeCommits, wantedRange } from './commits.ts';

const commit = (number: number): CommitSummary => ({ blockNumber: BigInt(number) }) as CommitSummary;
const numbers = (commits: readonly CommitSummary[]): number[] => commits.map(({ blockNumber }) => Number(blockNumber));

describe('how the newest blocks were decided', () => {
  it('is kept newest first, each once, without a gap', () => {
    expect(numbers(mergeCommits([commit(3), commit(2)], [commit(4), commit(2), commit(1)]))).toEqual([4, 3, 2, 1]);
    expect(numbers(mergeCommits([commit(9)], [commit(4), commit(3)]))).toEqual([9]);
    expect(numbers(mergeCommits([commit(3), commit(2)], [commit(4)], 2))).toEqual([4, 3]);
    expect(mergeCommits([], [])).toEqual([]);
  });

  it('is asked for from the newest known one on, and no further back than is kept', () => {
    expect(wantedRange(null, 5n)).toEqual({ from: 1n, count: 5 });
    expect(wantedRange(null, 1_000n)).toEqual({ from: 745n, count: 256 });
    expect(wantedRange(3n, 5n)).toEqual({ from: 4n, count: 2 });
    expect(wantedRange(3n, 1_000n)).toEqual({ from: 745n, count: 256 });
    expect(wantedRange(5n, 5n)).toBeNull();
    expect(wantedRange(null, 0n)).toBeNull();
  });
});
