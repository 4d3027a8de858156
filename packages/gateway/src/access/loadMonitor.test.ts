import { describe, expect, it, jest } from '@jest/globals';
import { LoadMonitor } from './loadMonitor.ts';

/** A monitor whose timer is turned by hand. */
function monitor() {
  let nowMs = 0;
  const load = new LoadMonitor({ busyDelayMs: 100, overloadDelayMs: 500, now: () => nowMs });
  /** The timer comes so much too late. */
  const late = (ms: number): void => {
    nowMs += 20 + ms;
    load.sample();
  };
  return { load, late };
}

describe('LoadMonitor', () => {
  it('timers in time: normal', () => {
    const { load, late } = monitor();
    for (let sample = 0; sample < 50; sample++) late(5);
    expect(load.level()).toBe('normal');
  });

  it.each([
    [99, 'normal'],
    [100, 'busy'],
    [499, 'busy'],
    [500, 'overloaded'],
  ])('a timer that is %d ms late: %s', (ms, level) => {
    const { load, late } = monitor();
    late(ms);
    expect(load.level()).toBe(level);
  });

  it('late timers: busy, very late ones: overloaded, and normal again soon after', () => {
    const { load, late } = monitor();
    late(120);
    expect(load.level()).toBe('busy');
    late(800);
    expect(load.level()).toBe('overloaded');
    late(0);
    expect(load.level()).toBe('overloaded');
    for (let sample = 0; sample < 5; sample++) late(0);
    expect(load.level()).toBe('busy');
    for (let sample = 0; sample < 10; sample++) late(0);
    expect(load.level()).toBe('normal');
  });

  it('no timer while nobody asks; the first who does starts it, and a busy thread is watched until it is not', () => {
    jest.useFakeTimers();
    try {
      const load = new LoadMonitor({ busyDelayMs: 100, overloadDelayMs: 500, now: () => performance.now() });
      load.start();
      expect(jest.getTimerCount()).toBe(0);
      expect(load.level()).toBe('normal');
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(1_000);
      expect(jest.getTimerCount()).toBe(1);
      jest.advanceTimersByTime(20);
      expect(jest.getTimerCount()).toBe(0);
      load.level();
      load.close();
      expect([jest.getTimerCount(), load.level()]).toEqual([0, 'normal']);
      expect(jest.getTimerCount()).toBe(0);
    } finally {
      jest.useRealTimers();
    }
  });
});
