import { describe, expect, it } from '@jest/globals';
import { LoadMonitor } from './loadMonitor.ts';

/** A monitor whose timer is turned by hand. */
function monitor() {
  let nowMs = 0;
  const load = new LoadMonitor({ busyDelayMs: 100, overloadDelayMs: 500, now: () => nowMs });
  load.start();
  load.close();
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
});
