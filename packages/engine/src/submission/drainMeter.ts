import type { Drained, DrainRates, MempoolDrain } from '@prime/mempool';

/** Over about how long a rate is taken, ms of blocks that left something over. */
const windowMs = 1_000;
/** A block was full if as much as this many times what it took had waited for it. */
const fullAt = 1.25;

/** One lane of the mempool. */
class Lane {
  perMs: number | null = null;
  #left = 0;

  onBlock({ taken, remaining }: Drained, elapsedMs: number): void {
    const before = this.#left;
    this.#left = remaining;
    // Where nothing waited, blocks waited, and how long this one took says nothing.
    if (before === 0 || taken === 0) return;
    const perMs = taken / elapsedMs;
    // One that took all that waited could have taken more: it only shows that blocks take at least so much.
    if (before < fullAt * taken) this.perMs = this.perMs === null ? null : Math.max(this.perMs, perMs);
    else if (this.perMs === null) this.perMs = perMs;
    else this.perMs += (perMs - this.perMs) * (elapsedMs / (elapsedMs + windowMs));
  }
}

/**
 * At which rate blocks take what waits (ADR 198): full ones say how much that is, others how much it is at least. Not known before the first full
 * block. A rate that is too low, as after a time in which the machine stood still, grows again with each block that empties the pool.
 */
export class DrainMeter {
  readonly #transactions = new Lane();
  readonly #actions = new Lane();
  #atMs: number | null = null;

  /** A block is committed. @param nowMs monotonic */
  onBlock({ transactions, actions }: MempoolDrain, nowMs: number): DrainRates {
    const elapsedMs = Math.max(1, nowMs - (this.#atMs ?? nowMs));
    this.#atMs = nowMs;
    this.#transactions.onBlock(transactions, elapsedMs);
    this.#actions.onBlock(actions, elapsedMs);
    return { transactions: this.#transactions.perMs, actions: this.#actions.perMs };
  }
}
