import type { ThreadClock } from '@prime/engine';

/** The machine's clocks; the wall clock may be shifted for tests, timers never are. */
export const nodeClock = (offsetMs: number): ThreadClock => ({
  nowMs: () => Date.now() + offsetMs,
  monotonicMs: () => performance.now(),
  busyMs: () => performance.eventLoopUtilization().active,
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
});
