/** What becomes of a block that a stream told of. */
export type Verdict =
  | 'deliver'
  /** It was delivered before, or history covers it. */
  | 'duplicate'
  /** It comes when history is told. */
  | 'wait'
  /** It should have come before blocks that were delivered already. */
  | 'disorder';

/** Blocks from one to another, both included. */
export interface Range {
  readonly from: bigint;
  readonly to: bigint;
}

interface Numbered {
  readonly blockNumber: bigint;
}

/** Deliveries that are remembered, to tell a repetition from a block that came too late. */
const rememberedMax = 256;

/**
 * Puts what is fetched and what is streamed together, so that each block is delivered once and in order.
 *
 * It is `down` without a connection; `catchingUp` while history is fetched, when what is streamed waits; then `live`. The cursor is the
 * newest block up to which everything was delivered.
 */
export class BlockSequencer<block extends Numbered> {
  readonly #waitingMax: number;
  #cursor: bigint | null;
  #phase: 'down' | 'catchingUp' | 'live' = 'down';
  #waiting: block[] = [];
  #hasDropped = false;
  /** What history covers on this connection. */
  #floor = -1n;
  #delivered: bigint[] = [];

  /** @param cursor null until it is known where to begin @param waitingMax blocks that may wait */
  constructor(cursor: bigint | null, waitingMax: number) {
    this.#cursor = cursor;
    this.#waitingMax = waitingMax;
  }

  get cursor(): bigint | null {
    return this.#cursor;
  }

  get isLive(): boolean {
    return this.#phase === 'live';
  }

  /** From now on what is streamed waits for history. */
  catchUp(): void {
    this.#phase = 'catchingUp';
    this.#waiting = [];
    this.#hasDropped = false;
  }

  stop(): void {
    this.#phase = 'down';
    this.#waiting = [];
  }

  /** Blocks that have to be fetched; null for none. @param head newest block that is to be had */
  missing(head: bigint): Range | null {
    if (this.#cursor === null) throw new Error('nobody said where to begin');
    return head > this.#cursor ? { from: this.#cursor + 1n, to: head } : null;
  }

  /** Takes what was fetched up to a height. @returns what has to be delivered */
  fetched(blocks: readonly block[], to: bigint): readonly block[] {
    const cursor = this.#cursor ?? -1n;
    const fresh = blocks.filter(({ blockNumber }) => blockNumber > cursor && blockNumber <= to);
    this.passTo(to);
    return fresh;
  }

  /** Nothing up to this height is to be delivered any more. */
  passTo(height: bigint): void {
    if (this.#cursor === null || height > this.#cursor) this.#cursor = height;
  }

  /**
   * History is told: from now on what is streamed is delivered at once.
   *
   * @returns what waited, to be given to {@link take} one by one; null when more came than may wait, so that history is to be fetched again
   */
  goLive(): readonly block[] | null {
    const waiting = this.#waiting;
    this.#waiting = [];
    if (this.#hasDropped) {
      this.#hasDropped = false;
      return null;
    }
    this.#phase = 'live';
    this.#floor = this.#cursor ?? -1n;
    this.#delivered = [];
    return waiting;
  }

  /** A block that was streamed. Only one that is to be delivered moves the cursor. */
  take(block: block): Verdict {
    if (this.#phase === 'down') return 'duplicate';
    if (this.#phase === 'catchingUp') return this.#wait(block);
    const { blockNumber } = block;
    if (blockNumber <= this.#floor || this.#delivered.includes(blockNumber)) return 'duplicate';
    if (blockNumber <= (this.#cursor ?? -1n)) return 'disorder';
    this.#cursor = blockNumber;
    this.#delivered.push(blockNumber);
    if (this.#delivered.length > rememberedMax) this.#delivered.shift();
    return 'deliver';
  }

  /** The chain has a new head: by then everything of the blocks before it was streamed. */
  head(blockNumber: bigint): void {
    if (this.#phase === 'live') this.passTo(blockNumber - 1n);
  }

  #wait(block: block): Verdict {
    if (this.#waiting.length >= this.#waitingMax) {
      this.#hasDropped = true;
      this.#waiting = [];
    }
    if (!this.#hasDropped) this.#waiting.push(block);
    return 'wait';
  }
}
