import type { NodeClient, PrimeProgram } from '../primeProgram.ts';

interface Watched {
  readonly serving: boolean;
}

/** How often each validator is asked for its head, ms. */
const intervalMs = 100;
const answerMsMax = 2_000;

/** Follows the heads of all validators, and when each of them moved. */
export class HeadWatch {
  readonly heads: number[];
  /** When a validator showed a new block, in order. */
  readonly #moves: { readonly validator: number; readonly atMs: number }[] = [];
  readonly #urls: readonly string[];
  readonly #nodes: readonly Watched[];
  readonly #nowMs: () => number;
  readonly #client: PrimeProgram['client'];
  #waiting = new Set<() => void>();
  #stopped = false;
  #loops: Promise<void>[] = [];

  constructor(urls: readonly string[], nodes: readonly Watched[], nowMs: () => number, client: PrimeProgram['client']) {
    this.#urls = urls;
    this.#nodes = nodes;
    this.#nowMs = nowMs;
    this.#client = client;
    this.heads = urls.map(() => 0);
  }

  start(): void {
    this.#loops = this.#urls.map((url, index) => this.#follow(url, index));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#loops);
  }

  /** Highest head among some validators. */
  highest(validators: readonly number[]): number {
    return Math.max(0, ...validators.map((index) => this.heads[index] ?? 0));
  }

  /** Resolves with true when a condition on the heads holds, with false after the deadline. */
  async until(holds: (heads: readonly number[]) => boolean, deadlineMs: number): Promise<boolean> {
    const endMs = this.#nowMs() + deadlineMs;
    while (!holds(this.heads)) {
      const leftMs = endMs - this.#nowMs();
      if (leftMs <= 0) return false;
      await this.#moved(leftMs);
    }
    return true;
  }

  /** The longest time between two new blocks among some validators, from one moment to another. */
  longestStallMs(validators: readonly number[], fromMs: number, toMs: number): number {
    let longest = 0;
    let lastMs = fromMs;
    for (const { validator, atMs } of this.#moves) {
      if (atMs < fromMs || atMs > toMs || !validators.includes(validator)) continue;
      longest = Math.max(longest, atMs - lastMs);
      lastMs = atMs;
    }
    return Math.max(longest, toMs - lastMs);
  }

  /** Moves before this moment are not asked for any more. */
  forgetBefore(atMs: number): void {
    const keep = this.#moves.findIndex((move) => move.atMs >= atMs);
    this.#moves.splice(0, keep < 0 ? this.#moves.length : keep);
  }

  async #follow(url: string, index: number): Promise<void> {
    const client = this.#client(url, answerMsMax);
    while (!this.#stopped) {
      const waited = pause(intervalMs);
      if (this.#nodes[index]?.serving === true) await this.#ask(client, index);
      await waited;
    }
  }

  async #ask(client: NodeClient, index: number): Promise<void> {
    let head: number;
    try {
      head = Number(await client.getBlockNumber({ cacheTime: 0 }));
    } catch {
      // Down, paused or busy: it shows nothing, which is what is recorded.
      return;
    }
    // A validator that lost its files shows a lower head for a while.
    if (head !== this.heads[index]) {
      if (head > this.heads[index]!) this.#moves.push({ validator: index, atMs: this.#nowMs() });
      this.heads[index] = head;
    }
    const waiting = this.#waiting;
    this.#waiting = new Set();
    for (const wake of waiting) wake();
  }

  #moved(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
      this.#waiting.add(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
