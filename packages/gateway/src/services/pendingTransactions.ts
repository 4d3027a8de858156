import type { Hash } from '@prime/primitives';
import type { ConsensusBackend, PendingBatch, PendingDetail, PendingTransaction } from './backends.ts';

/** Who hears of transactions that become executable: hashes only, or whole ones. */
export interface PendingListener {
  readonly detail: Exclude<PendingDetail, 'none'>;
  /** In the order in which the mempool told. */
  readonly onPending: (transactions: readonly PendingTransaction[]) => void;
  /** So many were lost on the way from the consensus thread. */
  readonly onMissed: (count: number) => void;
}

const ranks: Readonly<Record<PendingDetail, number>> = { none: 0, hashes: 1, full: 2 };

/**
 * Transactions that became executable in the mempool, while somebody listens: the newest hashes in a ring that all readers share,
 * each with a cursor of its own. Positions count from the start of the process; a lost transaction has a position too, so that a
 * reader learns that it missed something.
 */
export class PendingTransactions {
  private readonly consensus: Pick<ConsensusBackend, 'listenPending'>;
  readonly capacity: number;
  private readonly ring: Hash[] = [];
  /** Of the next transaction. */
  private next = 0;
  /** Lowest position that the ring still has without a hole behind it. */
  private first = 0;
  private readonly listeners = new Set<PendingListener>();
  private readers = 0;
  /** Null after a request that failed. */
  private asked: PendingDetail | null = 'none';
  private answered: Promise<void> = Promise.resolve();

  /** @param capacity hashes that are remembered */
  constructor(consensus: Pick<ConsensusBackend, 'listenPending'>, capacity: number) {
    this.consensus = consensus;
    this.capacity = capacity;
  }

  /** Where a reader begins that wants to see what comes from now on. */
  get position(): number {
    return this.next;
  }

  /** One more reader by cursor; resolves when nothing that comes from now on is missed. */
  async retain(): Promise<void> {
    this.readers++;
    await this.listen();
  }

  release(): void {
    this.readers--;
    this.listenLess();
  }

  async subscribe(listener: PendingListener): Promise<void> {
    this.listeners.add(listener);
    await this.listen();
  }

  unsubscribe(listener: PendingListener): void {
    if (this.listeners.delete(listener)) this.listenLess();
  }

  /** Takes what the consensus thread tells. */
  add({ missed, transactions }: PendingBatch): void {
    if (missed > 0) {
      this.next += missed;
      this.first = this.next;
      for (const listener of this.listeners) listener.onMissed(missed);
    }
    for (const { hash } of transactions) this.ring[this.next++ % this.capacity] = hash;
    this.first = Math.max(this.first, this.next - this.capacity);
    for (const listener of this.listeners) listener.onPending(transactions);
  }

  /** Hashes from a position on, at most so many. @returns missed: how many of them are gone */
  read(
    position: number,
    countMax: number,
  ): { readonly hashes: Hash[]; readonly missed: number; readonly next: number } {
    const start = Math.max(position, this.first);
    const end = Math.min(this.next, start + countMax);
    const hashes: Hash[] = [];
    for (let index = start; index < end; index++) hashes.push(this.ring[index % this.capacity]!);
    return { hashes, missed: start - position, next: end };
  }

  /** Asks for what is wanted now. Requests of one link keep their order, so the last one decides. */
  private listen(): Promise<void> {
    let wanted: PendingDetail = this.readers > 0 ? 'hashes' : 'none';
    for (const { detail } of this.listeners) if (ranks[detail] > ranks[wanted]) wanted = detail;
    if (wanted === this.asked) return this.answered;
    this.asked = wanted;
    this.answered = this.consensus.listenPending(wanted).catch((error: unknown) => {
      this.asked = null;
      throw error;
    });
    return this.answered;
  }

  /** Nobody waits for it: when it fails, more is heard than is needed until the next time. */
  private listenLess(): void {
    this.listen().catch(() => undefined);
  }
}
