/** What waits for the next thing that a stream tells. */
interface Waiting<value> {
  readonly resolve: (value: value) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Turns a stream that calls into promises that are asked for: each `next()` is settled by what comes after it was called, or at once by
 * what came since the last one was settled. So a caller that works between two calls misses nothing.
 */
export class Topic<value> {
  readonly #merge: (older: value, newer: value) => value;
  readonly #waiting: Waiting<value>[] = [];
  #unread: { readonly value: value } | null = null;
  #ended: { readonly error: unknown } | null = null;

  /** @param merge what a caller gets that missed some: all of a list, or the newest */
  constructor(merge: (older: value, newer: value) => value) {
    this.#merge = merge;
  }

  next(): Promise<value> {
    if (this.#unread !== null) {
      const { value } = this.#unread;
      this.#unread = null;
      return Promise.resolve(value);
    }
    if (this.#ended !== null) return Promise.reject(this.#ended.error);
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }));
  }

  put(value: value): void {
    if (this.#ended !== null) return;
    const waiting = this.#waiting.splice(0);
    for (const { resolve } of waiting) resolve(value);
    if (waiting.length > 0) return;
    this.#unread = { value: this.#unread === null ? value : this.#merge(this.#unread.value, value) };
  }

  /** Nothing more comes. Who waits, and who asks later, is told why. */
  end(error: unknown): void {
    if (this.#ended !== null) return;
    this.#ended = { error };
    this.#unread = null;
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  get isEnded(): boolean {
    return this.#ended !== null;
  }
}
