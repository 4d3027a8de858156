import { describe, expect, it } from '@jest/globals';
import { barOf, ladderOf, spreadOf } from './ladder.ts';

const levels = (...pairs: readonly (readonly [bigint, bigint])[]) => pairs.map(([price, size]) => ({ price, size }));
const book = {
  bids: levels([99n, 5n], [98n, 2n], [95n, 1n], [91n, 4n]),
  asks: levels([101n, 3n], [104n, 7n], [105n, 1n], [109n, 6n]),
};
const lines = (rungs: readonly { price: bigint; size: bigint; total: bigint }[]) =>
  rungs.map(({ price, size, total }) => [price, size, total]);

describe('a ladder', () => {
  it('sums sizes from the best price on', () => {
    const { bids, asks } = ladderOf(book, { rows: 3, step: 1n });
    expect(lines(bids)).toEqual([
      [99n, 5n, 5n],
      [98n, 2n, 7n],
      [95n, 1n, 8n],
    ]);
    expect(lines(asks)).toEqual([
      [101n, 3n, 3n],
      [104n, 7n, 10n],
      [105n, 1n, 11n],
    ]);
  });

  it('puts prices together so that nothing looks better than it is', () => {
    const { bids, asks } = ladderOf(book, { rows: 2, step: 5n });
    expect(lines(bids)).toEqual([
      [95n, 8n, 8n],
      [90n, 4n, 12n],
    ]);
    expect(lines(asks)).toEqual([
      [105n, 11n, 11n],
      [110n, 6n, 17n],
    ]);
  });

  it('whose last line is not finished takes in all of its levels', () => {
    expect(lines(ladderOf(book, { rows: 1, step: 5n }).bids)).toEqual([[95n, 8n, 8n]]);
  });
});

describe('the spread', () => {
  it('is the gap of the best prices', () => {
    expect(spreadOf(book)).toEqual({ gap: 2n, share: 0.02 });
  });

  it('of a book with one side is none', () => {
    expect(spreadOf({ bids: book.bids, asks: [] })).toBeNull();
  });
});

describe('a bar', () => {
  it.each([
    [0n, 0n, 0],
    [10n, 10n, 1],
    [1n, 1_000_000n, 0.005],
    [501n, 1_000n, 0.505],
  ])('of %s in %s is %s', (total, most, share) => {
    expect(barOf(total, most)).toBe(share);
  });
});
