import type { Clock } from '../ports.ts';

/**
 * Least time between two words to all about where this node stands, ms. Whoever takes part in the height learns as much from votes and
 * certificates; this is for who lacks a block and has nothing that tells him so.
 */
const spacingMs = 250;

/** Tells the peers where this node stands, without repeating itself for each of many blocks. */
export class StatusTeller {
  readonly #clock: Clock;
  readonly #tell: () => void;
  #toldAtMs = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | null = null;
  #stopped = false;

  constructor(clock: Clock, tell: () => void) {
    this.#clock = clock;
    this.#tell = tell;
  }

  /** At once. */
  tell(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#toldAtMs = this.#clock.monotonicMs();
    this.#tell();
  }

  /** At once where nothing was told for a while, and else once for all that happens until then. */
  tellSoon(): void {
    if (this.#stopped || this.#cancel !== null) return;
    const waitMs = this.#toldAtMs + spacingMs - this.#clock.monotonicMs();
    if (waitMs <= 0) this.tell();
    else this.#cancel = this.#clock.after(waitMs, () => this.tell());
  }

  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = null;
  }
}
