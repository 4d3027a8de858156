import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { createPacing } from './pacing.ts';
import { VirtualTime } from '../testing/virtualTime.ts';

const params = {
  minBlockIntervalMs: 50,
  emptyBlockIntervalMs: 1_000,
  precisionMs: 500,
  messageDelayMs: 2_000,
  maxBlockBytes: 1,
  maxBlockActions: 1,
};

/** Times of starts, from the first one on. */
function pace(leastMs = params.minBlockIntervalMs) {
  const time = new VirtualTime();
  const begunMs = time.nowMs;
  const starts: number[] = [];
  const pool = { items: 31 };
  const clock = {
    nowMs: () => time.nowMs,
    monotonicMs: () => time.nowMs,
    after: (delayMs: number, callback: () => void) => time.after(delayMs, callback),
  };
  const pacing = createPacing({
    params: { ...params, minBlockIntervalMs: leastMs },
    clock,
    waiting: () => pool.items,
    start: () => starts.push(time.nowMs - begunMs),
  });
  const pass = (ms: number): Promise<boolean> => {
    // Time only moves from timer to timer.
    clock.after(ms, () => undefined);
    const endMs = time.nowMs + ms;
    return time.runUntil(() => time.nowMs >= endMs, ms);
  };
  /** The first height, whose round begins after 50 ms and takes so long, and 5 ms until the second may begin. */
  const passFirst = async (roundMs: number, hasWork = true): Promise<void> => {
    pacing.begin(height(1), true);
    await pass(50);
    await pass(roundMs);
    pacing.stop();
    await pass(5);
    starts.length = 0;
    pacing.begin(height(2), hasWork);
  };
  return { pacing, starts, pass, passFirst, pool };
}

const height = (number: number): Height => number as Height;

describe('when round 0 of a height begins', () => {
  it.each([
    ['one that takes less than the least interval is followed at its end', 20, 100],
    ['one that takes just as long is followed at once', 50, 100],
    ['one that takes longer is followed as soon as it is committed', 130, 180],
  ])('with work, counted from the start of the parent: %s', async (_, parentMs, secondMs) => {
    const { pacing, starts, pass } = pace();
    pacing.begin(height(1), true);
    await pass(50);
    expect(starts).toEqual([50]);
    await pass(parentMs);
    pacing.begin(height(2), true);
    await pass(200);
    expect(starts).toEqual([50, secondMs]);
  });

  it('without work at the longer interval after the start of the parent, and at once when something comes', async () => {
    const { pacing, starts, pass } = pace();
    pacing.begin(height(1), false);
    await pass(1_000);
    await pass(30);
    pacing.begin(height(2), false);
    await pass(969);
    expect(starts).toEqual([1_000]);
    await pass(1);
    expect(starts).toEqual([1_000, 2_000]);
    pacing.begin(height(3), false);
    await pass(10);
    pacing.onWork();
    expect(starts).toHaveLength(2);
    await pass(40);
    expect(starts).toEqual([1_000, 2_000, 2_050]);
    pacing.begin(height(4), false);
    await pass(60);
    pacing.onWork();
    expect(starts.at(-1)).toBe(2_110);
  });

  it('counts from when it can begin where this node did not start the parent', async () => {
    const { pacing, starts, pass } = pace();
    pacing.begin(height(1), true);
    await pass(50);
    // Blocks 1 to 7 are fetched.
    await pass(400);
    pacing.stop();
    pacing.begin(height(8), true);
    expect(starts).toEqual([50]);
    await pass(50);
    expect(starts).toEqual([50, 500]);
  });

  it('begins with the others, and once', async () => {
    const { pacing, starts, pass } = pace();
    pacing.begin(height(1), true);
    pacing.onPeerActivity();
    pacing.onPeerActivity();
    pacing.onWork();
    await pass(100);
    expect(starts).toEqual([0]);
  });

  it.each([
    ['300 ms from the start of the parent', 80, 300],
    ['four times as long as the round of the parent took', 20, 80],
    ['the least interval behind one that took hardly any time', 5, 50],
  ])('where many items wait when the least interval is over, after %s', async (_, roundMs, waitedMs) => {
    const { starts, pass, passFirst, pool } = pace();
    pool.items = 32;
    await passFirst(roundMs);
    const leastMs = Math.max(50, roundMs + 5);
    await pass(leastMs - roundMs - 5);
    // Where some of them leave the pool it goes on gathering.
    pool.items = 31;
    const early = starts.length;
    await pass(waitedMs - leastMs);
    expect(early).toBe(waitedMs === leastMs ? 1 : 0);
    expect(starts).toEqual([50 + waitedMs]);
  });

  it.each([
    ['is lengthened', 250, 300],
    ['stays as it is', 300, 300],
    ['stays as it is', 301, 301],
    ['stays as it is, though its parent took many rounds', 60_000, 60_000],
  ])('a least interval %s where many items wait: %d to %d ms', async (_, leastMs, waitedMs) => {
    const { pacing, starts, pass, pool } = pace(leastMs);
    pool.items = 1_000;
    pacing.begin(height(1), true);
    await pass(leastMs);
    const roundMs = leastMs / 2;
    await pass(roundMs);
    pacing.stop();
    pacing.begin(height(2), true);
    await pass(waitedMs - roundMs - 1);
    expect(starts).toEqual([leastMs]);
    await pass(1);
    expect(starts).toEqual([leastMs, leastMs + waitedMs]);
  });

  it('does not gather where fewer wait when the least interval is over', async () => {
    const { starts, pass, passFirst, pool } = pace();
    await passFirst(20);
    pool.items = 32;
    await pass(20);
    pool.items = 31;
    await pass(200);
    expect(starts).toEqual([100]);
  });

  it('waits for nothing where work comes long after the parent', async () => {
    const { pacing, starts, pass, passFirst, pool } = pace();
    await passFirst(80, false);
    await pass(400);
    pool.items = 32;
    pacing.onWork();
    expect(starts).toEqual([50 + 85 + 400]);
  });

  it('gathers for one height only', async () => {
    const { pacing, starts, pass, passFirst, pool } = pace();
    pool.items = 32;
    await passFirst(80);
    await pass(215);
    expect(starts).toEqual([350]);
    pool.items = 31;
    pacing.stop();
    pacing.begin(height(3), true);
    await pass(50);
    expect(starts).toEqual([350, 400]);
  });

  it('begins with the others however many wait', async () => {
    const { pacing, starts, passFirst, pool } = pace();
    pool.items = 32;
    await passFirst(80);
    pacing.onPeerActivity();
    expect(starts).toEqual([135]);
  });

  it('begins no more once it is stopped', async () => {
    const { pacing, starts, pass } = pace();
    pacing.begin(height(1), true);
    pacing.stop();
    pacing.onPeerActivity();
    await pass(2_000);
    expect(starts).toEqual([]);
  });
});
