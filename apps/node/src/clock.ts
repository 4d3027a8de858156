import type { Clock } from '@prime/engine';

/** The machine's clocks; the wall clock may be shifted for tests, timers never are. */
export const nodeClock = (offsetMs: number): Clock => ({
  nowMs: () => Date.now() + offsetMs,
  monotonicMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
});
