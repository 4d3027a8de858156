import { describe, expect, it } from '@jest/globals';
import { lagBlocksAt, snapshotBlocksAt } from './pace.ts';

describe('what a run counts in blocks', () => {
  it('follows the least time between two, but for networks that do not wait: these hardly decide more often than twenty times a second', () => {
    expect([0, 1, 50, 250, 1_000].map(snapshotBlocksAt)).toEqual([200, 200, 200, 40, 10]);
    expect([0, 1, 50, 250, 1_000].map(lagBlocksAt)).toEqual([5, 5, 5, 2, 2]);
  });
});
