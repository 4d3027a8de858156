interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** Time that passes from one timer to the next; between two of them all promises settle. */
export class VirtualTime {
  nowMs = 1_700_000_000_000;
  #timers: Timer[] = [];
  #order = 0;

  after(delayMs: number, callback: () => void): () => void {
    const timer = { dueMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Runs timers until the condition holds; false when the deadline in virtual ms passes first. */
  async runUntil(condition: () => boolean, deadlineMs: number): Promise<boolean> {
    const end = this.nowMs + deadlineMs;
    await settle();
    while (!condition()) {
      const next = this.#timers.reduce<Timer | null>(
        (best, timer) =>
          best === null || timer.dueMs < best.dueMs || (timer.dueMs === best.dueMs && timer.order < best.order)
            ? timer
            : best,
        null,
      );
      if (next === null || next.dueMs > end) return false;
      this.#timers = this.#timers.filter((timer) => timer !== next);
      this.nowMs = Math.max(this.nowMs, next.dueMs);
      next.callback();
      await settle();
    }
    return true;
  }
}

/** Lets all promise reactions run. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
