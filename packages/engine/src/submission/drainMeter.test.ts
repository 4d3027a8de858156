import { describe, expect, it } from '@jest/globals';
import { DrainMeter } from './drainMeter.ts';

/** A meter, and blocks of transactions alone. */
function meter() {
  const drain = new DrainMeter();
  let nowMs = 0;
  return (taken: number, remaining: number, afterMs: number): number | null => {
    nowMs += afterMs;
    const rates = drain.onBlock({ transactions: { taken, remaining }, actions: { taken: 0, remaining: 0 } }, nowMs);
    expect(rates.actions).toBeNull();
    return rates.transactions;
  };
}

describe('the rate at which blocks take what waits', () => {
  it('is not known while blocks take all there is', () => {
    const block = meter();
    expect(block(10, 0, 1_000)).toBeNull();
    // A burst came while the block was made.
    expect(block(1, 500, 1_000)).toBeNull();
    expect(block(500, 300, 100)).toBeNull();
    expect(block(300, 0, 100)).toBeNull();
  });

  it('is what a full block took in its time: one that left a quarter of what it took, at least', () => {
    const exactly = meter();
    exactly(0, 125, 1_000);
    expect(exactly(100, 0, 50)).toBe(2);
    const less = meter();
    less(0, 124, 1_000);
    expect(less(100, 24, 50)).toBeNull();
  });

  it('follows full blocks, the faster the longer they take', () => {
    const block = meter();
    block(0, 10_000, 1);
    expect(block(100, 10_000, 100)).toBe(1);
    expect(block(200, 10_000, 100)).toBeCloseTo(1 + 100 / 1_100);
    expect(block(0, 10_000, 100)).toBeCloseTo(1 + 100 / 1_100);
    let rate: number | null = 0;
    for (let count = 0; count < 100; count++) rate = block(300, 10_000, 100);
    expect(rate).toBeCloseTo(3, 2);
  });

  it('rises with blocks that are quicker and took all there was, and does not fall with small ones', () => {
    const block = meter();
    block(0, 10_000, 1);
    expect(block(100, 100, 100)).toBe(1);
    expect(block(100, 1, 20)).toBe(5);
    expect(block(1, 1, 100)).toBe(5);
    expect(block(1, 0, 1_000)).toBe(5);
    // After a pause: nothing waited, so it says nothing of how quick blocks are.
    expect(block(90_000, 0, 10_000)).toBe(5);
  });

  it('is found again after the machine stood still: each block that empties the pool raises it', () => {
    const block = meter();
    block(0, 10_000, 1);
    block(400, 10_000, 100);
    const low = block(400, 10_000, 60_000)!;
    expect(low).toBeLessThan(0.1);
    let rate = low;
    let blocks = 0;
    // As much as the pool takes in 2 s at that rate, and blocks take 50 ms and a quarter of a millisecond for each.
    for (; rate < 3; blocks++) {
      const taken = Math.floor(rate * 2_000);
      rate = block(taken, taken, 50 + taken / 4)!;
    }
    expect(blocks).toBeLessThan(8);
  });

  it('is measured for each lane by itself', () => {
    const drain = new DrainMeter();
    drain.onBlock({ transactions: { taken: 0, remaining: 0 }, actions: { taken: 0, remaining: 900 } }, 0);
    const rates = drain.onBlock(
      { transactions: { taken: 5, remaining: 0 }, actions: { taken: 100, remaining: 800 } },
      50,
    );
    expect(rates).toEqual({ transactions: null, actions: 2 });
  });
});
