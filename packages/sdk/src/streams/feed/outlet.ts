/** Where a stream meets its reader: entries wait here while the reader is at work. */
export interface OutletOptions<entry> {
  /** Room, in the unit of {@link OutletOptions.weigh}. */
  readonly max: number;
  readonly weigh: (entry: entry) => number;
  /** The reader; the next entry comes when its promise is settled. */
  readonly handle: (entry: entry) => unknown;
  /** The reader threw. */
  readonly onFailed: (error: unknown) => void;
}

/** A bounded queue in front of one reader, who gets one entry at a time, and at once while it is idle. */
export class Outlet<entry> {
  readonly #options: OutletOptions<entry>;
  readonly #queue: entry[] = [];
  readonly #idle: (() => void)[] = [];
  #weight = 0;
  #isBusy = false;
  #isClosed = false;

  constructor(options: OutletOptions<entry>) {
    this.#options = options;
  }

  /** Whether another entry is taken: what comes last may be more than what is left, so that no entry is too large. */
  get hasRoom(): boolean {
    return this.#weight < this.#options.max;
  }

  push(entry: entry): void {
    if (this.#isClosed) return;
    this.#queue.push(entry);
    this.#weight += this.#options.weigh(entry);
    if (!this.#isBusy) this.#drain();
  }

  /** Resolves when the reader has had everything. */
  whenIdle(): Promise<void> {
    if (!this.#isBusy || this.#isClosed) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Nothing that waits is handed out any more. */
  close(): void {
    this.#isClosed = true;
    this.#queue.length = 0;
    this.#weight = 0;
    this.#wake();
  }

  #drain(): void {
    this.#isBusy = true;
    for (let entry = this.#queue.shift(); entry !== undefined; entry = this.#queue.shift()) {
      const { weigh } = this.#options;
      const weight = weigh(entry);
      const work = this.#hand(entry);
      if (work instanceof Promise) {
        void work.then(() => {
          this.#done(weight);
          this.#drain();
        });
        return;
      }
      this.#done(weight);
    }
    this.#isBusy = false;
    this.#wake();
  }

  /** Never rejects. */
  #hand(entry: entry): Promise<void> | null {
    const { handle, onFailed } = this.#options;
    try {
      const result = handle(entry);
      return result instanceof Promise ? result.then(() => undefined, onFailed) : null;
    } catch (error) {
      onFailed(error);
      return null;
    }
  }

  #done(weight: number): void {
    this.#weight = this.#isClosed ? 0 : this.#weight - weight;
  }

  #wake(): void {
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}
