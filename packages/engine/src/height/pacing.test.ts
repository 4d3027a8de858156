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
function pace() {
  const time = new VirtualTime();
  const begunMs = time.nowMs;
  const starts: number[] = [];
  const work = { busyMs: 7 };
  const clock = {
    nowMs: () => time.nowMs,
    monotonicMs: () => time.nowMs,
    busyMs: () => work.busyMs,
    after: (delayMs: number, callback: () => void) => time.after(delayMs, callback),
  };
  const pacing = createPacing({ params, clock, start: () => starts.push(time.nowMs - begunMs) });
  const pass = (ms: number): Promise<boolean> => {
    // Time only moves from timer to timer.
    clock.after(ms, () => undefined);
    const endMs = time.nowMs + ms;
    return time.runUntil(() => time.nowMs >= endMs, ms);
  };
  /** The first height, whose round begins after 50 ms, takes 20 ms and keeps the thread busy for so long of them, and 5 ms until the second may begin. */
  const passFirst = async (busyMs: number, hasWork: boolean): Promise<void> => {
    pacing.begin(height(1), true);
    await pass(50);
    await pass(20);
    work.busyMs += busyMs;
    pacing.stop();
    await pass(5);
    work.busyMs += 1_000;
    starts.length = 0;
    pacing.begin(height(2), hasWork);
  };
  return { pacing, starts, pass, passFirst, work };
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
    ['at the least interval where the round of the parent kept the thread hardly busy', 5, 50],
    ['after four times as long as that round kept the thread busy', 20, 80],
    ['after four of the least intervals however busy it was', 60, 200],
  ])('begins %s', async (_, busyMs, waitedMs) => {
    const { starts, pass, passFirst } = pace();
    await passFirst(busyMs, true);
    await pass(waitedMs - 25 - 1);
    expect(starts).toEqual([]);
    await pass(1);
    expect(starts).toEqual([50 + waitedMs]);
  });

  it('waits for nothing more where work comes long after a busy round', async () => {
    const { pacing, starts, pass, passFirst } = pace();
    await passFirst(60, false);
    await pass(400);
    pacing.onWork();
    expect(starts).toEqual([50 + 25 + 400]);
  });

  it('is not slowed by a round of another height', async () => {
    const { pacing, starts, pass, work } = pace();
    pacing.begin(height(1), true);
    await pass(50);
    work.busyMs += 60;
    pacing.stop();
    starts.length = 0;
    // Blocks 2 to 4 are fetched.
    pacing.begin(height(5), true);
    await pass(50);
    expect(starts).toEqual([100]);
  });

  it('begins with the others however busy the thread is', async () => {
    const { pacing, starts, passFirst } = pace();
    await passFirst(60, true);
    pacing.onPeerActivity();
    expect(starts).toEqual([75]);
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
