import type { Arrivals } from './arrivals.ts';

/** Time and waiting, so that tests need neither. */
export interface LoopClock {
  /** ms from any begin, never backwards. */
  nowMs(): number;
  /** Calls back at about a time, or later where the machine is busy. */
  wakeAt(atMs: number, wake: () => void): void;
}

/** Beginning what is overdue takes no longer in one turn, so that answers are heard meanwhile. */
const turnMsMax = 10;

/** Operations that become due at times of their own, whether or not earlier ones have ended. */
export interface OpenLoopOptions {
  /** The loop is over when they are. */
  readonly arrivals: Arrivals;
  readonly clock: LoopClock;
  /**
   * Begins an operation and does not wait for it.
   *
   * @param index 0, 1, 2 …
   * @param dueMs time of the clock at which it was due: its latency counts from there, however late it is begun
   */
  readonly begin: (index: number, dueMs: number) => void;
}

/** How well the loop kept its times: what it was late is a fault of the generator. */
export interface OpenLoopTotals {
  readonly operations: number;
  /** The most that an operation was begun behind its time, ms. */
  readonly latestMs: number;
  /** Sum over all of them, ms. */
  readonly lateMs: number;
}

/**
 * Begins operations when they are due, and all that are overdue at once: none is left out, moved or thinned because the server or this process was
 * slow. Measured from when it was due, an operation that waited behind a stall has the latency that a user would have had.
 *
 * @returns when the last one has begun
 */
export function runOpenLoop({ arrivals, clock, begin }: OpenLoopOptions): Promise<OpenLoopTotals> {
  const beganMs = clock.nowMs();
  let [operations, latestMs, lateMs] = [0, 0, 0];
  let next = arrivals.next();
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      const turnMs = clock.nowMs();
      try {
        for (;;) {
          if (next.done === true) return resolve({ operations, latestMs, lateMs });
          const dueMs = beganMs + next.value;
          // Asked anew each time: beginning thousands takes time, in which more become due.
          const nowMs = clock.nowMs();
          if (nowMs < dueMs) return clock.wakeAt(dueMs, turn);
          if (nowMs - turnMs > turnMsMax) return clock.wakeAt(nowMs, turn);
          latestMs = Math.max(latestMs, nowMs - dueMs);
          lateMs += nowMs - dueMs;
          begin(operations++, dueMs);
          next = arrivals.next();
        }
      } catch (error) {
        reject(error as Error);
      }
    };
    turn();
  });
}

/**
 * The monotonic clock of this process, whose timers have a resolution of 1 ms: an operation begins up to so much behind its time, which counts as late.
 * Turning in a circle until it is due would be more exact, and take a core from the network that is measured.
 */
export const processClock: LoopClock = {
  nowMs: () => performance.now(),
  wakeAt(atMs, wake) {
    const leftMs = Math.ceil(atMs - performance.now());
    if (leftMs > 0) setTimeout(wake, leftMs);
    else setImmediate(wake);
  },
};
