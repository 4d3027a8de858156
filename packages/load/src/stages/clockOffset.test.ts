import { describe, expect, it } from '@jest/globals';
import { createPrng } from '@prime/primitives';
import { ClockOffset, type Exchange } from './clockOffset.ts';

/** An exchange with a clock that is ahead: ways there and back, and what the node took, µs. */
const exchange = (beginUs: number, aheadUs: number, there: number, took: number, back: number): Exchange => ({
  sentUs: beginUs,
  receivedUs: beginUs + there + aheadUs,
  answeredUs: beginUs + there + took + aheadUs,
  gotUs: beginUs + there + took + back,
});
const estimateOf = (exchanges: readonly Exchange[]) => {
  const clock = new ClockOffset();
  for (const each of exchanges) clock.add(each);
  return clock.estimate();
};

describe('how far a clock is ahead', () => {
  it('is not known before an exchange', () => {
    expect(new ClockOffset().estimate()).toBeNull();
  });

  it.each([
    ['ahead by an hour', 3_600_000_000],
    ['behind', -250_000],
    ['right', 0],
  ])('%s: exact where both ways take as long, and the time that the node took does not count', (_, aheadUs) => {
    expect(estimateOf([exchange(1_000, aheadUs, 300, 80_000, 300)])).toEqual({
      offsetMs: aheadUs / 1_000,
      errorMs: 0.3,
      exchanges: 1,
    });
  });

  it('the shortest round trip wins, wherever it comes', () => {
    const ways = [
      [5_000, 100],
      [200, 220],
      [100, 9_000],
    ] as const;
    for (const order of [ways, [...ways].reverse()])
      expect(estimateOf(order.map(([there, back], turn) => exchange(turn * 1e6, 7_000_000, there, 10, back)))).toEqual({
        offsetMs: 6_999.99,
        errorMs: 0.21,
        exchanges: 3,
      });
  });

  it('lies within its error, whatever the ways take', () => {
    const prng = createPrng(5);
    for (let trial = 0; trial < 200; trial++) {
      const aheadUs = prng.below(2_000_000) - 1_000_000;
      const exchanges = Array.from({ length: 1 + prng.below(20) }, (_, turn) =>
        exchange(turn * 500_000, aheadUs, 50 + prng.below(20_000), prng.below(5_000), 50 + prng.below(20_000)),
      );
      const { offsetMs, errorMs } = estimateOf(exchanges)!;
      expect(Math.abs(offsetMs - aheadUs / 1_000)).toBeLessThanOrEqual(errorMs + 1e-9);
    }
  });

  it('a clock that runs away: the error covers all that it was', () => {
    const exchanges = [0, 1, 2, 3].map((turn) => exchange(turn * 1e6, turn * 2_000, 100 + turn, 0, 100 + turn));
    const { offsetMs, errorMs } = estimateOf(exchanges)!;
    expect(offsetMs).toBe(0);
    expect(errorMs).toBeGreaterThanOrEqual(6 - 0.11);
    expect(errorMs).toBeLessThanOrEqual(6);
  });

  it('an exchange that can not be is left out', () => {
    expect(
      estimateOf([
        { sentUs: 0, receivedUs: 0, answeredUs: 50, gotUs: 40 },
        { sentUs: 0, receivedUs: 50, answeredUs: 10, gotUs: 40 },
        { sentUs: 0, receivedUs: Number.NaN, answeredUs: 10, gotUs: 40 },
      ]),
    ).toBeNull();
    expect(estimateOf([{ sentUs: 0, receivedUs: 5, answeredUs: 45, gotUs: 40 }])).toEqual({
      offsetMs: 0.005,
      errorMs: 0,
      exchanges: 1,
    });
  });
});
