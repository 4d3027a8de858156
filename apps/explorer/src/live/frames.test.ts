import { describe, expect, it } from '@jest/globals';
import { coalesce, collect } from './frames.ts';

function manualFrames() {
  const waiting: (() => void)[] = [];
  return {
    request: (run: () => void) => void waiting.push(run),
    next: () => waiting.splice(0).forEach((run) => run()),
    get asked() {
      return waiting.length;
    },
  };
}

describe('what comes between two frames', () => {
  it('is applied once in the next one', () => {
    const frames = manualFrames();
    let applied = 0;
    const ask = coalesce(frames.request, () => void applied++);
    for (let times = 0; times < 200; times++) ask();
    expect([applied, frames.asked]).toEqual([0, 1]);
    frames.next();
    ask();
    frames.next();
    expect(applied).toBe(2);
  });

  it('is collected in its order, and the oldest is dropped beyond the limit', () => {
    const frames = manualFrames();
    const seen: (readonly number[])[] = [];
    const push = collect<number>(frames.request, 3, (items) => seen.push(items));
    for (const item of [1, 2, 3]) push(item);
    frames.next();
    for (const item of [1, 2, 3, 4]) push(item);
    frames.next();
    frames.next();
    expect(seen).toEqual([
      [1, 2, 3],
      [2, 3, 4],
    ]);
  });
});
