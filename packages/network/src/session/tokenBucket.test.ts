import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createTokenBucket } from './tokenBucket.ts';

describe('token bucket', () => {
  it('a burst of one second passes, the next token comes with time', () => {
    const bucket = createTokenBucket(10);
    for (let index = 0; index < 10; index++) expect(bucket.take(5_000, 1)).toBe(true);
    expect(bucket.take(5_000, 1)).toBe(false);
    expect(bucket.take(5_050, 1)).toBe(true);
    expect(bucket.debtMs(5_050)).toBe(50);
    expect(bucket.debtMs(5_100)).toBe(0);
  });

  it('over any time it allows the rate, a burst and one overdraft', () => {
    const step = fc.record({ waitMs: fc.nat(500), cost: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
        const bucket = createTokenBucket(100);
        let [nowMs, taken] = [0, 0];
        for (const { waitMs, cost } of steps) {
          nowMs += waitMs;
          if (bucket.take(nowMs, cost)) taken += cost;
          expect(taken).toBeLessThanOrEqual(100 + 50 + nowMs / 10);
        }
      }),
    );
  });
});
