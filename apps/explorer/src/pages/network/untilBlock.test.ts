import { describe, expect, it } from '@jest/globals';
import { untilBlockMs } from './untilBlock.ts';

describe('the time until a block', () => {
  it('follows from the pace', () => {
    expect(untilBlockMs(110n, 100n, 500)).toBe(5_000);
    expect([untilBlockMs(100n, 100n, 500), untilBlockMs(110n, 100n, null)]).toEqual([null, null]);
  });
});
