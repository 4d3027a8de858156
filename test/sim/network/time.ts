import { createEventQueue, type EventQueue } from '../eventQueue.ts';

/** Virtual time for code that waits for promises: between two events all of their reactions run. */
export interface VirtualTime {
  readonly nowMs: number;
  /** @returns cancel */
  after(delayMs: number, action: () => void): () => void;
  /** Resolves after a delay. */
  sleep(delayMs: number): Promise<void>;
  /** Time does not pass until the work is done, however long that really takes. */
  hold<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Carries out the next event and what follows from it; false when there is none. */
  step(): Promise<boolean>;
}

/** No delay is shorter, ms: one that is lost in the digits of the time would be over when nothing has passed, again and again. */
const leastDelayMs = 1e-6;

export function createVirtualTime(): VirtualTime {
  const queue: EventQueue = createEventQueue();
  const after = (delayMs: number, action: () => void): (() => void) => {
    let cancelled = false;
    queue.after(delayMs <= 0 ? 0 : Math.max(leastDelayMs, delayMs), () => {
      if (!cancelled) action();
    });
    return () => {
      cancelled = true;
    };
  };
  let held = 0;
  return {
    get nowMs() {
      return queue.nowMs;
    },
    after,
    sleep: (delayMs) => new Promise((resolve) => void after(delayMs, resolve)),
    async hold(work) {
      held += 1;
      try {
        return await work();
      } finally {
        held -= 1;
      }
    },
    async step() {
      const ran = queue.runNext();
      do await new Promise((resolve) => setImmediate(resolve));
      while (held > 0);
      return ran;
    },
  };
}
