import { describe, expect, it } from '@jest/globals';
import type { Height } from '@prime/primitives';
import { createPacing } from './pacing.ts';
import { VirtualTime } from './testing/virtualTime.ts';

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
  const clock = {
    nowMs: () => time.nowMs,
    monotonicMs: () => time.nowMs,
    after: (delayMs: number, callback: () => void) => time.after(delayMs, callback),
  };
  const checks = { areUnderWay: false };
  const pacing = createPacing({
    params,
    clock,
    isChecking: () => checks.areUnderWay,
    start: () => starts.push(time.nowMs - begunMs),
  });
  const pass = (ms: number): Promise<boolean> => {
    // Time only moves from timer to timer.
    clock.after(ms, () => undefined);
    const endMs = time.nowMs + ms;
    return time.runUntil(() => time.nowMs >= endMs, ms);
  };
  /** The first height, whose round takes so long, and 10 ms until the second may begin. */
  const passFirst = async (roundMs: number): Promise<void> => {
    pacing.begin(height(1), true);
    await pass(50);
    await pass(roundMs);
    pacing.stop();
    await pass(10);
    starts.length = 0;
    pacing.begin(height(2), true);
  };
  return { pacing, starts, pass, passFirst, checks };
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

  it('waits for signatures that are being checked, and begins at the end of their check', async () => {
    const { pacing, starts, pass, passFirst, checks } = pace();
    checks.areUnderWay = true;
    await passFirst(60);
    await pass(50);
    expect(starts).toEqual([]);
    checks.areUnderWay = false;
    pacing.onChecked();
    // The first one began after 50 ms.
    expect(starts).toEqual([50 + 60 + 10 + 50]);
  });

  it.each([
    ['until four of the least intervals after the start of the parent', 60, 200],
    ['until four times as long as the round of the parent took', 20, 80],
    ['not at all behind one that took no time', 5, 50],
  ])('waits for them %s', async (_, roundMs, waitedMs) => {
    const { starts, pass, passFirst, checks } = pace();
    checks.areUnderWay = true;
    await passFirst(roundMs);
    await pass(waitedMs - roundMs - 10 - 1);
    expect(starts).toEqual([]);
    await pass(1);
    expect(starts).toEqual([50 + waitedMs]);
  });

  it('does not begin before the least interval because a check ended', async () => {
    const { pacing, starts, pass, checks } = pace();
    pacing.begin(height(1), true);
    await pass(30);
    checks.areUnderWay = false;
    pacing.onChecked();
    expect(starts).toEqual([]);
    await pass(20);
    expect(starts).toEqual([50]);
  });

  it('begins with the others whatever is checked', async () => {
    const { pacing, starts, checks } = pace();
    checks.areUnderWay = true;
    pacing.begin(height(1), true);
    pacing.onPeerActivity();
    expect(starts).toEqual([0]);
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
