import { describe, expect, it } from '@jest/globals';
import { noRound, toHeight, toMarketId, toOrderId, toRound, toTimestampMs } from './brand.ts';

describe('branded integers', () => {
  it.each([
    ['height', toHeight, 0],
    ['round', toRound, noRound],
    ['timestamp', toTimestampMs, 0],
    ['market id', toMarketId, 1],
    ['order id', toOrderId, 1],
  ] as const)('%s: its least value and the largest safe integer, nothing beyond or between', (name, make, least) => {
    expect([make(least), make(Number.MAX_SAFE_INTEGER)]).toEqual([least, Number.MAX_SAFE_INTEGER]);
    for (const wrong of [least - 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1])
      expect(() => make(wrong)).toThrow(new RegExp(name));
  });
});
