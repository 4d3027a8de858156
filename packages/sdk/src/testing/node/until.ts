/** A promise of a condition that is looked at whenever something happened. */
export class Signal {
  #waiting: (() => void)[] = [];

  /** Something happened. */
  readonly notify = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  };

  /** What puts items into a list, each of which happened. */
  into<item>(list: item[]): (item: item) => void {
    return (happened) => {
      list.push(happened);
      this.notify();
    };
  }

  /** Resolves once the condition holds; it is looked at now and after each {@link notify}. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Lets sockets go on until the condition holds. */
export async function untilHolds(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
