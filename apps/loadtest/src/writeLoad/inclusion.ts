import type { Hash } from '@prime/primitives';
import { rpc } from '@prime/load/rpc';

/** A block of the run, and when it was seen, ms of this process. */
export interface SeenBlock {
  readonly height: number;
  readonly seenMs: number;
  readonly items: number;
}

/** Between two looks at the chain, ms. */
const pollMs = 25;
/** Without a new item for so long a run has failed, ms. */
const stallMs = 120_000;

/** What came into blocks: reads each block once, and counts how often each hash of the run stood in one. */
export class Inclusion {
  readonly #url: string;
  readonly #method: string;
  readonly #field: string;
  readonly #sentMs = new Map<Hash, number>();
  readonly #times = new Map<Hash, number>();
  readonly #waits: number[] = [];
  readonly blocks: SeenBlock[] = [];
  #next: number;
  #isClosed = false;

  /** @param of what is counted: transactions of the EVM, or actions */
  private constructor(url: string, of: 'transactions' | 'actions', next: number) {
    this.#url = url;
    this.#field = of;
    // Of anvil as well.
    this.#method = of === 'actions' ? 'prime_getBlockByNumber' : 'eth_getBlockByNumber';
    this.#next = next;
  }

  /** From the next block on. */
  static async open(url: string, of: 'transactions' | 'actions'): Promise<Inclusion> {
    return new Inclusion(url, of, Number(await rpc<string>(url, 'eth_blockNumber')) + 1);
  }

  sent(hash: Hash): void {
    this.#sentMs.set(hash, performance.now());
  }

  /** Hashes that stood in a block. */
  get included(): number {
    return this.#times.size;
  }

  get outstanding(): number {
    return this.#sentMs.size - this.#times.size;
  }

  /** ms from sending to the block that was seen, in order. */
  get waits(): readonly number[] {
    return this.#waits.toSorted((a, b) => a - b);
  }

  /** Reads until as many are included. @throws Error when nothing comes any more */
  async until(count: number): Promise<void> {
    let known = this.included;
    let changedMs = performance.now();
    while (this.included < count && !this.#isClosed) {
      await this.#read();
      if (this.included > known) [known, changedMs] = [this.included, performance.now()];
      if (performance.now() - changedMs > stallMs)
        throw new Error(`${count - this.included} of ${count} items are in no block, and none came in ${stallMs} ms`);
      await new Promise((resolve) => setTimeout(resolve, pollMs));
    }
  }

  /** Ends the waiting of {@link until}. */
  close(): void {
    this.#isClosed = true;
  }

  /** @throws Error when a hash that was sent stands in no block, or in two */
  check(): void {
    for (const hash of this.#sentMs.keys()) {
      const times = this.#times.get(hash) ?? 0;
      if (times !== 1) throw new Error(`${hash} was accepted, and stands in ${times} blocks`);
    }
  }

  async #read(): Promise<void> {
    const head = Number(await rpc<string>(this.#url, 'eth_blockNumber'));
    for (; this.#next <= head; this.#next++) {
      const block = await rpc<Record<string, readonly Hash[]>>(this.#url, this.#method, [
        `0x${this.#next.toString(16)}`,
        false,
      ]);
      const seenMs = performance.now();
      const own = block[this.#field]!.filter((hash) => this.#sentMs.has(hash));
      for (const hash of own) {
        if (!this.#times.has(hash)) this.#waits.push(seenMs - this.#sentMs.get(hash)!);
        this.#times.set(hash, (this.#times.get(hash) ?? 0) + 1);
      }
      if (own.length > 0) this.blocks.push({ height: this.#next, seenMs, items: own.length });
    }
  }
}
