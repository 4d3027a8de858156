import { defaultEnvironment, type StreamEnvironment } from '../../streams/connection/environment.ts';

interface Timer {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that only a test moves, around real sockets. */
export class ManualTimers {
  #nowMs = 0;
  readonly #timers = new Set<Timer>();

  readonly environment: StreamEnvironment = {
    ...defaultEnvironment,
    now: () => this.#nowMs,
    setTimer: (run, delayMs) => {
      const timer = { atMs: this.#nowMs + delayMs, run };
      this.#timers.add(timer);
      return () => this.#timers.delete(timer);
    },
    random: () => 0,
  };

  /** Runs what is due on the way. */
  advance(byMs: number): void {
    const until = this.#nowMs + byMs;
    for (;;) {
      const due = [...this.#timers].filter(({ atMs }) => atMs <= until).toSorted((a, b) => a.atMs - b.atMs)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#nowMs = Math.max(this.#nowMs, due.atMs);
      due.run();
    }
    this.#nowMs = until;
  }
}
