import type { AccountChange, VerifiedTransaction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { checkAlone, checkQueue, checkReplacement } from './admission.ts';
import { refuse } from './errors.ts';
import { createEvictionPlan } from './evictionPlan.ts';
import { createHeap, type Heap } from './heap.ts';
import type { MempoolLimits } from './options.ts';
import {
  type Account,
  countPending,
  createSenderQueue,
  type Entry,
  entryAt,
  placeOf,
  type SenderQueue,
  tailOf,
} from './senderQueue.ts';

/** The first to go: lowest fee cap, then lowest tip, then latest arrival. */
function compareWorth(a: Entry, b: Entry): number {
  const [left, right] = [a.transaction, b.transaction];
  if (left.maxFeePerGas !== right.maxFeePerGas) return left.maxFeePerGas < right.maxFeePerGas ? -1 : 1;
  if (left.maxPriorityFeePerGas !== right.maxPriorityFeePerGas)
    return left.maxPriorityFeePerGas < right.maxPriorityFeePerGas ? -1 : 1;
  return b.arrival - a.arrival;
}

const costOf = (transaction: VerifiedTransaction): bigint =>
  transaction.gasLimit * transaction.maxFeePerGas + transaction.value;

/** A sender's own earlier transaction must not make room for a later one. */
const evictionOpensGap = (victim: Entry, newcomer: VerifiedTransaction): boolean =>
  victim.transaction.sender === newcomer.sender && victim.transaction.nonce < newcomer.nonce;

/**
 * Waiting EVM transactions: one nonce-ordered queue per sender, and an index of what would be evicted first.
 *
 * Only the last transaction of a sender is ever evicted, so eviction never opens a gap. The index orders tails by their fees,
 * which do not change with the base fee; it is cleaned lazily, because tails change with every insertion.
 */
export class TransactionPool {
  readonly #limits: MempoolLimits;
  readonly #blockGasLimit: bigint;
  readonly #onPending: (transaction: VerifiedTransaction) => void;
  readonly #byHash = new Map<Hash, Entry>();
  readonly #bySender = new Map<Address, SenderQueue>();
  #tails: Heap<Entry> = createHeap(compareWorth);
  #arrivals = 0;
  #bytes = 0;
  #pendingCount = 0;

  constructor(
    limits: MempoolLimits,
    blockGasLimit: bigint,
    onPending: (transaction: VerifiedTransaction) => void = () => undefined,
  ) {
    this.#limits = limits;
    this.#blockGasLimit = blockGasLimit;
    this.#onPending = onPending;
  }

  get count(): number {
    return this.#byHash.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Transactions that are behind no gap. */
  get pendingCount(): number {
    return this.#pendingCount;
  }

  get(hash: Hash): VerifiedTransaction | null {
    return this.#byHash.get(hash)?.transaction ?? null;
  }

  queues(): Iterable<SenderQueue> {
    return this.#bySender.values();
  }

  queueOf(sender: Address): SenderQueue | null {
    return this.#bySender.get(sender) ?? null;
  }

  /** @throws MempoolError */
  add(transaction: VerifiedTransaction, account: Account): void {
    if (this.#byHash.has(transaction.hash)) refuse('already known', { code: 'MEMPOOL_ALREADY_KNOWN' });
    checkAlone(transaction, account, this.#limits, this.#blockGasLimit);
    const known = this.#bySender.get(transaction.sender);
    if (known !== undefined) this.#refresh(known, account);
    const queue = this.#bySender.get(transaction.sender) ?? createSenderQueue(transaction.sender, account);
    const replaced = entryAt(queue, transaction.nonce);
    const entry: Entry = { transaction, cost: costOf(transaction), arrival: this.#arrivals++, announced: false };
    checkReplacement(transaction, replaced, this.#limits);
    checkQueue(queue, entry, replaced, this.count - this.#pendingCount, this.#limits);
    this.#makeRoom(entry, replaced);
    this.#insert(queue, entry, replaced);
  }

  /** Takes out what a block included and brings accounts up to date. */
  commit(included: readonly Hash[], accounts: readonly AccountChange[]): void {
    for (const { address, nonce, balance } of accounts) {
      const queue = this.#bySender.get(address);
      if (queue !== undefined) this.#refresh(queue, { nonce, balance });
    }
    // Left over is only what was included and did not run, so that the nonce did not move past it.
    for (const hash of included) {
      const entry = this.#byHash.get(hash);
      const queue = entry === undefined ? undefined : this.#bySender.get(entry.transaction.sender);
      if (entry === undefined || queue === undefined) continue;
      this.#drop(queue, placeOf(queue, entry.transaction.nonce), 1);
      this.#settle(queue);
    }
  }

  #refresh(queue: SenderQueue, account: Account): void {
    if (queue.account.nonce === account.nonce && queue.account.balance === account.balance) return;
    queue.account = account;
    this.#drop(queue, 0, placeOf(queue, account.nonce));
    // What costs more than the whole balance can not run; what only together costs too much may wait for funds.
    for (let index = queue.entries.length - 1; index >= 0; index--)
      if (queue.entries[index]!.cost > account.balance) this.#drop(queue, index, 1);
    this.#settle(queue);
  }

  /** Evicts what is worth less, or refuses the newcomer and evicts nothing. */
  #makeRoom(entry: Entry, replaced: Entry | null): void {
    const { transactionCountMax, transactionBytesMax } = this.#limits;
    let count = this.count + (replaced === null ? 1 : 0);
    let bytes = this.#bytes + entry.transaction.raw.length - (replaced?.transaction.raw.length ?? 0);
    const plan = createEvictionPlan(this.#bySender, this.#tails);
    while (count > transactionCountMax || bytes > transactionBytesMax) {
      const victim = plan.next();
      const blocked = victim === undefined || victim === replaced || evictionOpensGap(victim, entry.transaction);
      if (blocked || compareWorth(victim, entry) >= 0) {
        plan.undo();
        this.#trimIndex();
        const limit = `${transactionCountMax} transactions, ${transactionBytesMax} bytes`;
        return blocked
          ? refuse('txpool is full', { code: 'MEMPOOL_FULL', limit })
          : refuse('transaction underpriced: the pool is full', { code: 'MEMPOOL_UNDERPRICED' });
      }
      count--;
      bytes -= victim.transaction.raw.length;
    }
    for (const [queue, taken] of plan.taken) {
      this.#drop(queue, queue.entries.length - taken, taken);
      this.#settle(queue);
    }
  }

  #insert(queue: SenderQueue, entry: Entry, replaced: Entry | null): void {
    const { transaction } = entry;
    const place = placeOf(queue, transaction.nonce);
    if (replaced !== null) this.#drop(queue, place, 1);
    queue.entries.splice(place, 0, entry);
    queue.cost += entry.cost;
    this.#bytes += transaction.raw.length;
    this.#byHash.set(transaction.hash, entry);
    this.#bySender.set(queue.sender, queue);
    this.#settle(queue);
    if (place < queue.pendingCount) this.#announce(entry);
  }

  /** {@link #settle} has to follow. */
  #drop(queue: SenderQueue, from: number, count: number): void {
    for (const entry of queue.entries.splice(from, count)) {
      queue.cost -= entry.cost;
      this.#bytes -= entry.transaction.raw.length;
      this.#byHash.delete(entry.transaction.hash);
    }
  }

  /** Brings counters, index and the map of senders in line after a queue changed. */
  #settle(queue: SenderQueue): void {
    this.#pendingCount -= queue.pendingCount;
    queue.pendingCount = countPending(queue);
    this.#pendingCount += queue.pendingCount;
    let first = queue.pendingCount;
    while (first > 0 && !queue.entries[first - 1]!.announced) first--;
    for (let index = first; index < queue.pendingCount; index++) this.#announce(queue.entries[index]!);
    const tail = tailOf(queue);
    if (tail === undefined) this.#bySender.delete(queue.sender);
    else this.#tails.push(tail);
    this.#trimIndex();
  }

  #announce(entry: Entry): void {
    if (entry.announced) return;
    entry.announced = true;
    this.#onPending(entry.transaction);
  }

  /** Stale index entries stay until they come to the top; a rebuild bounds how many there can be. */
  #trimIndex(): void {
    if (this.#tails.size > 64 + 4 * this.#bySender.size)
      this.#tails = createHeap(
        compareWorth,
        [...this.#bySender.values()].map((queue) => tailOf(queue)!),
      );
  }
}
