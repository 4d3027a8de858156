import { describe, expect, it } from '@jest/globals';
import { type Arrivals, stagedArrivals } from './arrivals.ts';
import { type LoopClock, processClock, runOpenLoop } from './openLoop.ts';

const evenly = (rate: number, seconds: number): Arrivals =>
  stagedArrivals([{ name: 'hold', fromRate: rate, toRate: rate, seconds }], { worker: 0, workers: 1 }, null);

/** Time that passes only when somebody waits, or as the test says. */
function handClock() {
  let nowMs = 1000;
  const clock: LoopClock = {
    nowMs: () => nowMs,
    wakeAt: (atMs, wake) => {
      nowMs = Math.max(nowMs, atMs);
      queueMicrotask(wake);
    },
  };
  return { clock, pass: (ms: number) => (nowMs += ms) };
}

describe('runOpenLoop', () => {
  it('begins each operation when it is due, and none at the end or behind it', async () => {
    const { clock } = handClock();
    const begun: number[][] = [];
    const begin = (index: number, dueMs: number): void => void begun.push([index, dueMs, clock.nowMs()]);
    const totals = await runOpenLoop({ arrivals: evenly(4, 1), clock, begin });
    expect(begun).toEqual([
      [0, 1000, 1000],
      [1, 1250, 1250],
      [2, 1500, 1500],
      [3, 1750, 1750],
    ]);
    expect(totals).toEqual({ operations: 4, latestMs: 0, lateMs: 0 });
  });

  it('behind a stall it begins all that were due meanwhile, at once, with their own times', async () => {
    const { clock, pass } = handClock();
    const begun: number[][] = [];
    const begin = (index: number, dueMs: number): void => {
      begun.push([index, dueMs, clock.nowMs()]);
      if (index === 1) pass(900);
    };
    const totals = await runOpenLoop({ arrivals: evenly(4, 1.5), clock, begin });
    expect(begun).toEqual([
      [0, 1000, 1000],
      [1, 1250, 1250],
      [2, 1500, 2150],
      [3, 1750, 2150],
      [4, 2000, 2150],
      [5, 2250, 2250],
    ]);
    expect(totals).toEqual({ operations: 6, latestMs: 650, lateMs: 650 + 400 + 150 });
  });

  it('operations that take longer than the time between them are all begun, later and later', async () => {
    const { clock, pass } = handClock();
    const totals = await runOpenLoop({
      arrivals: evenly(1000, 0.1),
      clock,
      begin: () => void pass(3),
    });
    expect(totals).toEqual({ operations: 100, latestMs: 198, lateMs: 2 * ((99 * 100) / 2) });
  });

  it('fails with what beginning an operation throws', async () => {
    const { clock } = handClock();
    const begin = (index: number): void => {
      if (index === 2) throw new Error('no room');
    };
    const running = runOpenLoop({ arrivals: evenly(10, 1), clock, begin });
    await expect(running).rejects.toThrow('no room');
  });

  it('has nothing to do where nothing becomes due', async () => {
    const begin = (): never => expect(true).toBe(false) as never;
    const totals = await runOpenLoop({ arrivals: evenly(0, 5), clock: handClock().clock, begin });
    expect(totals).toEqual({ operations: 0, latestMs: 0, lateMs: 0 });
  });

  it('lets others have their turn while it begins many that are overdue', async () => {
    const { clock, pass } = handClock();
    const wakes: number[] = [];
    const watched: LoopClock = { ...clock, wakeAt: (atMs, wake) => (wakes.push(atMs), clock.wakeAt(atMs, wake)) };
    const begin = (index: number): void => void pass(index === 0 ? 1000 : 1);
    await runOpenLoop({ arrivals: evenly(100, 1), clock: watched, begin });
    expect(wakes.length).toBeGreaterThanOrEqual(9);
    expect(wakes.length).toBeLessThanOrEqual(12);
  });

  it('on the clock of a process no operation begins before it is due, and the event loop has its turns between them', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns++;
      if (!isOver) setImmediate(count);
    };
    setImmediate(count);
    const early: number[] = [];
    const turnsAt: number[] = [];
    await runOpenLoop({
      arrivals: evenly(200, 0.2),
      clock: processClock,
      begin: (_index, dueMs) => {
        if (performance.now() < dueMs) early.push(dueMs);
        turnsAt.push(turns);
      },
    });
    isOver = true;
    expect(early).toEqual([]);
    expect(turnsAt).toHaveLength(40);
    expect(turnsAt.at(-1)).toBeGreaterThan(turnsAt[0]!);
  });
});
