/**
 * Asynchronous work in the order of the calls, one piece at a time. A piece that fails does not hold up the next one.
 *
 * It has no bound: its callers either wait for each piece, or are bounded themselves.
 */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();
  #size = 0;

  /** Pieces that run or wait. */
  get size(): number {
    return this.#size;
  }

  /** Runs a piece of work after all that were given before. @returns what the work returns, or its failure */
  run<T>(work: () => Promise<T>): Promise<T> {
    this.#size += 1;
    const result = this.#tail.then(work).finally(() => {
      this.#size -= 1;
    });
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves when all that was given so far has ended, well or not. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
