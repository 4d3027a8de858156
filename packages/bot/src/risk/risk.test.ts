import { describe, expect, it } from '@jest/globals';
import { silenceOf } from './deadMan.ts';
import { createTokenBucket } from './tokenBucket.ts';

describe('a token bucket', () => {
  it.each([
    [9, true],
    [10, true],
    [11, false],
  ])('of 10 a second: %i at once: %s', (count, expected) => {
    expect(createTokenBucket(10).take(count, 0)).toBe(expected);
  });

  it('fills up with time, to the brim and not further', () => {
    const bucket = createTokenBucket(10);
    expect(bucket.take(10, 1_000)).toBe(true);
    expect([bucket.take(1, 1_099), bucket.take(1, 1_100), bucket.available(1_100)]).toEqual([false, true, 0]);
    expect(bucket.available(60_000)).toBe(10);
  });

  it('has a clock that may go back without giving anything', () => {
    const bucket = createTokenBucket(1);
    bucket.take(1, 5_000);
    expect([bucket.available(1_000), bucket.available(5_500), bucket.available(6_000)]).toEqual([0, 0, 1]);
  });
});

describe('the dead-man switch', () => {
  const settings = { feedSilentMs: 100, staleMs: 50, strategySilentMs: 70 };
  const heard = { nowMs: 1_000, headMs: 1_000, bookMs: 1_000, accountMs: 1_000, strategyMs: 1_000 };

  it.each([
    ['headMs', 100, 'feed_silent'],
    ['bookMs', 50, 'book_stale'],
    ['accountMs', 50, 'account_unsure'],
    ['strategyMs', 70, 'strategy_silent'],
  ] as const)('%s: at %i ms nothing, then %s', (name, limitMs, silence) => {
    expect(silenceOf({ ...heard, [name]: 1_000 - limitMs }, settings)).toBeNull();
    expect(silenceOf({ ...heard, [name]: 999 - limitMs }, settings)).toBe(silence);
  });

  it('does not count what has not begun', () => {
    expect(
      silenceOf({ nowMs: 9_999, headMs: null, bookMs: null, accountMs: null, strategyMs: null }, settings),
    ).toBeNull();
  });
});
