import { createStreams, type NativeBlockHead, watchBlocks } from '@prime/sdk';

/** Without a head for so long a run has failed, ms. */
const stallMs = 120_000;

/** How many items came into blocks, told by the heads alone: nothing is asked of the node, so a block costs it what it costs without a reader. */
export class HeadCounts {
  /** Items in the blocks since {@link HeadCounts.open}. */
  total = 0;
  readonly #of: 'transactions' | 'actions';
  #failure: Error | null = null;
  #wake: () => void = () => undefined;
  #unwatch: () => void = () => undefined;

  private constructor(of: 'transactions' | 'actions') {
    this.#of = of;
  }

  /** Counts the heads that come after it resolved. @throws Error when the node gives no heads */
  static async open(url: string, of: 'transactions' | 'actions'): Promise<HeadCounts> {
    const counts = new HeadCounts(of);
    await new Promise<void>((resolve, reject) => {
      counts.#unwatch = watchBlocks(createStreams({ urls: [url] }), {
        onBlock: (block) => counts.#add(block),
        onError: (error) => {
          counts.#fail(error);
          reject(error);
        },
        onStatus: (status) => {
          if (status === 'live') resolve();
        },
      });
    });
    return counts;
  }

  /** Waits for as many items. @throws Error when no head comes any more */
  async until(count: number): Promise<void> {
    while (this.total < count) {
      if (this.#failure !== null) throw this.#failure;
      await new Promise<void>((resolve) => {
        const stall = setTimeout(() => {
          this.#fail(
            new Error(`${count - this.total} of ${count} items are in no block, and no block came in ${stallMs} ms`),
          );
        }, stallMs);
        this.#wake = () => {
          clearTimeout(stall);
          resolve();
        };
      });
    }
  }

  close(): void {
    this.#unwatch();
    this.#fail(new Error('closed'));
  }

  #add(block: NativeBlockHead): void {
    this.total += this.#of === 'actions' ? block.actionCount : block.transactionCount;
    this.#wake();
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#wake();
  }
}
