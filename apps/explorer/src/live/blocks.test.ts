import { describe, expect, it } from '@jest/globals';
import type { NativeBlockHead } from '@prime/sdk';
import { intervalsOf, medianOf, mergeBlocks, missingNumbers, ratePerSecond } from './blocks.ts';

const block = (number: number, timestampMs = number * 100): NativeBlockHead =>
  ({ number: BigInt(number), timestampMs, transactionCount: 2 }) as NativeBlockHead;
const numbersOf = (blocks: readonly NativeBlockHead[]): number[] => blocks.map(({ number }) => Number(number));

describe('the newest blocks', () => {
  it('are kept newest first, each once, no more than wanted', () => {
    expect(numbersOf(mergeBlocks([block(3), block(2)], [block(1), block(4), block(2)], 3))).toEqual([4, 3, 2]);
    expect(numbersOf(mergeBlocks([], [block(1)], 3))).toEqual([1]);
    expect(mergeBlocks([], [], 3)).toEqual([]);
  });

  it('that are missing are told newest first, as far back as wanted and not below genesis', () => {
    expect(missingNumbers([], 8)).toEqual([]);
    expect(missingNumbers([block(5), block(3)], 2)).toEqual([4n]);
    expect(missingNumbers([block(5), block(3)], 3)).toEqual([4n]);
    expect(missingNumbers([block(5), block(3)], 4)).toEqual([4n, 2n]);
    expect(missingNumbers([block(1)], 8)).toEqual([0n]);
  });
});

describe('figures of blocks', () => {
  it('times between them leave gaps out', () => {
    expect(intervalsOf([block(5), block(4), block(2, 150), block(1)])).toEqual([50, 100]);
    expect(intervalsOf([block(1)])).toEqual([]);
  });

  it('the middle of values', () => {
    expect([medianOf([]), medianOf([3]), medianOf([9, 1, 2]), medianOf([4, 1, 2, 3])]).toEqual([null, 3, 2, 2.5]);
  });

  it('a rate is over the time that they span, without what came before it', () => {
    expect(ratePerSecond([block(3), block(2), block(1)], ({ transactionCount }) => transactionCount)).toBe(20);
    expect(ratePerSecond([block(1)], () => 1)).toBeNull();
    expect(ratePerSecond([], () => 1)).toBeNull();
    expect(ratePerSecond([block(2, 1), block(1, 1)], () => 1)).toBeNull();
  });
});
