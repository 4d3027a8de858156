import type { AccountChange, VerifiedTransaction } from '@prime/codec';
import { type Address, createHeap, type Hash, type Heap } from '@prime/primitives';
import { Backlog } from './backlog.ts';
import type { Drained, MempoolCommit } from './commit.ts';
import { checkAlone, checkDelegation, checkFunds, checkReplacement, checkRoom } from './admission.ts';
import { DrainLimit } from './drainLimit.ts';
import { refuse } from './errors.ts';
import { type Candidate, candidate, compareCandidates, createEvictionPlan } from './evictionPlan.ts';
import { callOf, GasEstimates } from './gasEstimates.ts';
import type { MempoolLimits, MempoolOptions } from './options.ts';
import { eachIncludable } from './selectTransactions.ts';
import {
  type Account,
  countPending,
  createSenderQueue,
  type Entry,
  entryAt,
  placeOf,
  type SenderQueue,
} from './senderQueue.ts';

const costOf = (transaction: VerifiedTransaction): bigint =>
  transaction.gasLimit * transaction.maxFeePerGas + transaction.value;

/** What of a committed block concerns transactions. */
type PoolCommit = Omit<MempoolCommit, 'actions'>;

/** How often everything is looked through for what waited too long, ms of block time. */
const sweepIntervalMs = 60_000;

/** A sender's own earlier transaction must not make room for a later one. */
const evictionOpensGap = (victim: Entry, newcomer: VerifiedTransaction): boolean =>
  victim.transaction.sender === newcomer.sender && victim.transaction.nonce < newcomer.nonce;

/**
 * Waiting EVM transactions: one nonce-ordered queue per sender, and an index of what would be evicted first.
 *
 * Only the last transaction of a sender is ever evicted, so eviction never opens a gap. The index orders tails by class and fees,
 * which do not change with the base fee; it is cleaned lazily, because tails change with every insertion.
 */
export class TransactionPool {
  readonly #limits: MempoolLimits;
  readonly #blockGasLimit: bigint;
  readonly #onPending: (transaction: VerifiedTransaction) => void;
  readonly #byHash = new Map<Hash, Entry>();
  readonly #bySender = new Map<Address, SenderQueue>();
  #tails: Heap<Candidate> = createHeap(compareCandidates);
  /** How many waiting transactions carry an authorization of an account. */
  readonly #authorities = new Map<Address, number>();
  readonly #estimates = new GasEstimates();
  readonly #backlog: Backlog;
  readonly drain: DrainLimit;
  #localCount = 0;
  #timeMs: number;
  #sweptAtMs: number;
  #arrivals = 0;
  #bytes = 0;
  #pendingCount = 0;

  constructor(limits: MempoolLimits, options: Omit<MempoolOptions, 'limits'>) {
    const { blockGasLimit, baseFee, timestampMs = 0, onPending = () => undefined } = options;
    this.#limits = limits;
    this.#blockGasLimit = blockGasLimit;
    this.#onPending = onPending;
    this.#timeMs = timestampMs;
    this.#sweptAtMs = timestampMs;
    this.#backlog = new Backlog(baseFee);
    this.drain = new DrainLimit(limits.drainMs, 'transactions');
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

  /** @param isLocal whether it came from a client of this node @throws MempoolError */
  add(transaction: VerifiedTransaction, account: Account, isLocal: boolean): void {
    if (this.#byHash.has(transaction.hash)) refuse('already known', { code: 'MEMPOOL_ALREADY_KNOWN' });
    checkAlone(transaction, account, this.#limits, this.#blockGasLimit);
    const known = this.#bySender.get(transaction.sender);
    if (known !== undefined) this.#refresh(known, account);
    const queue = this.#bySender.get(transaction.sender) ?? createSenderQueue(transaction.sender, account);
    const replaced = entryAt(queue, transaction.nonce);
    const local = isLocal && (replaced?.local === true || this.#localCount < this.#limits.localCountMax);
    const entry = this.#entryOf(transaction, local);
    checkFunds(queue, entry, replaced);
    checkDelegation(queue, entry, replaced, this.#delegations);
    checkReplacement(transaction, replaced, this.#limits);
    if (replaced === null) checkRoom(queue, entry, this.count - this.#pendingCount, this.#limits);
    if (replaced === null && isLocal) this.#checkDrain(queue, entry);
    this.#makeRoom(queue, entry, replaced);
    this.#insert(queue, entry, replaced);
  }

  #entryOf(transaction: VerifiedTransaction, local: boolean): Entry {
    const call = callOf(transaction);
    const work = this.#estimates.estimate(transaction, call);
    const arrival = this.#arrivals++;
    return { transaction, cost: costOf(transaction), arrival, local, announced: false, call, work, level: null };
  }

  /** What came from elsewhere was taken there: it is not refused here, or blocks of others would find only a part of it. */
  #checkDrain(queue: SenderQueue, entry: Entry): void {
    if (entry.transaction.nonce !== queue.account.nonce + queue.pendingCount) return;
    const ahead = this.#backlog.ahead(entry);
    if (ahead === null) return;
    const isFirst = queue.entries.length < this.#limits.senderGuaranteed;
    this.drain.check({ work: entry.work, ahead, own: queue.work, isFirst, part: 1 });
  }

  /**
   * Takes out what a block included, brings accounts up to date, and ends what waited too long.
   *
   * @param gasUsed of what was included, in its order
   */
  commit({ transactions: included, gasUsed, accounts, nextBaseFee, timestampMs }: PoolCommit): Drained {
    let taken = 0;
    for (const [index, hash] of included.entries()) {
      const entry = this.#byHash.get(hash);
      if (entry === undefined) continue;
      taken += entry.work;
      this.#estimates.learn(entry.call, gasUsed[index]!);
    }
    this.#takeOut(included, accounts);
    this.#timeMs = Math.max(this.#timeMs, timestampMs);
    this.#sweep();
    this.drain.onDrained(taken);
    return { taken, remaining: this.#recount(nextBaseFee) };
  }

  #takeOut(included: readonly Hash[], accounts: readonly AccountChange[]): void {
    for (const { address, nonce, balance } of accounts) {
      const queue = this.#bySender.get(address);
      if (queue !== undefined) this.#refresh(queue, { ...queue.account, nonce, balance });
    }
    // Left over is only what was included and did not run, so that the nonce did not move past it.
    for (const hash of included) {
      const entry = this.#byHash.get(hash);
      const queue = entry === undefined ? undefined : this.#bySender.get(entry.transaction.sender);
      if (entry === undefined || queue === undefined) continue;
      this.#drop(queue, placeOf(queue, entry.transaction.nonce), 1);
      this.#update(queue);
    }
  }

  /** Counts what the next block could take, at its base fee and by what is known of calls now. @returns its work */
  #recount(baseFee: bigint): number {
    this.#backlog.restart(baseFee);
    for (const queue of this.#bySender.values()) {
      queue.work = 0;
      for (const entry of queue.entries) {
        entry.level = null;
        entry.work = this.#estimates.estimate(entry.transaction, entry.call);
        queue.work += entry.work;
      }
      eachIncludable(queue, baseFee, (entry) => this.#backlog.count(entry));
    }
    return this.#backlog.work;
  }

  /** Drops what waits behind gaps of senders that are silent for too long. Now and then: it looks at everyone. */
  #sweep(): void {
    if (this.#timeMs - this.#sweptAtMs < sweepIntervalMs) return;
    this.#sweptAtMs = this.#timeMs;
    for (const queue of this.#bySender.values()) {
      const queued = queue.entries.length - queue.pendingCount;
      if (queued === 0 || this.#timeMs - queue.activeAtMs <= this.#limits.queuedLifetimeMs) continue;
      this.#drop(queue, queue.pendingCount, queued);
      this.#update(queue);
    }
  }

  readonly #delegations = {
    isAuthority: (account: Address): boolean => this.#authorities.has(account),
    waitingOf: (account: Address): number => this.#bySender.get(account)?.entries.length ?? 0,
  };

  #refresh(queue: SenderQueue, account: Account): void {
    const { nonce, balance } = queue.account;
    queue.account = account;
    if (nonce === account.nonce && balance === account.balance) return;
    this.#drop(queue, 0, placeOf(queue, account.nonce));
    // What costs more than the whole balance can not run; what only together costs too much may wait for funds.
    for (let index = queue.entries.length - 1; index >= 0; index--)
      if (queue.entries[index]!.cost > account.balance) this.#drop(queue, index, 1);
    this.#update(queue);
  }

  /** Evicts what is worth less, or refuses the newcomer and evicts nothing. */
  #makeRoom(queue: SenderQueue, entry: Entry, replaced: Entry | null): void {
    const { transactionCountMax, transactionBytesMax } = this.#limits;
    let count = this.count + (replaced === null ? 1 : 0);
    let bytes = this.#bytes + entry.transaction.raw.length - (replaced?.transaction.raw.length ?? 0);
    if (count <= transactionCountMax && bytes <= transactionBytesMax) return;
    const place = placeOf(queue, entry.transaction.nonce);
    const isPending = entry.transaction.nonce === queue.account.nonce + place;
    const newcomer = candidate(entry, place, isPending, this.#limits.senderGuaranteed);
    const plan = createEvictionPlan(this.#bySender, this.#tails, this.#candidateAt);
    while (count > transactionCountMax || bytes > transactionBytesMax) {
      const victim = plan.next();
      const blocked =
        victim === undefined || victim.entry === replaced || evictionOpensGap(victim.entry, entry.transaction);
      if (blocked || compareCandidates(victim, newcomer) >= 0) {
        plan.undo();
        this.#trimIndex();
        const limit = `${transactionCountMax} transactions, ${transactionBytesMax} bytes`;
        return blocked
          ? refuse('txpool is full', { code: 'MEMPOOL_FULL', limit })
          : refuse('transaction underpriced: the pool is full', { code: 'MEMPOOL_UNDERPRICED' });
      }
      count--;
      bytes -= victim.entry.transaction.raw.length;
    }
    for (const [evicted, taken] of plan.taken) {
      this.#drop(evicted, evicted.entries.length - taken, taken);
      this.#update(evicted);
    }
  }

  #insert(queue: SenderQueue, entry: Entry, replaced: Entry | null): void {
    const { transaction } = entry;
    const place = placeOf(queue, transaction.nonce);
    if (replaced !== null) this.#drop(queue, place, 1);
    queue.entries.splice(place, 0, entry);
    queue.cost += entry.cost;
    queue.work += entry.work;
    this.#bytes += transaction.raw.length;
    this.#byHash.set(transaction.hash, entry);
    this.#count(entry, 1);
    queue.activeAtMs = this.#timeMs;
    this.#bySender.set(queue.sender, queue);
    this.#update(queue);
  }

  /** {@link #settle} has to follow. */
  #drop(queue: SenderQueue, from: number, count: number): void {
    for (const entry of queue.entries.splice(from, count)) {
      queue.cost -= entry.cost;
      queue.work -= entry.work;
      this.#backlog.uncount(entry);
      this.#bytes -= entry.transaction.raw.length;
      this.#byHash.delete(entry.transaction.hash);
      this.#count(entry, -1);
    }
  }

  #count({ local, transaction: { authorities = [] } }: Entry, by: 1 | -1): void {
    if (local) this.#localCount += by;
    for (const authority of authorities) {
      const count = (this.#authorities.get(authority) ?? 0) + by;
      if (count === 0) this.#authorities.delete(authority);
      else this.#authorities.set(authority, count);
    }
  }

  readonly #candidateAt = (queue: SenderQueue, place: number): Candidate =>
    candidate(queue.entries[place]!, place, place < queue.pendingCount, this.#limits.senderGuaranteed);

  /** Brings counters, index and the map of senders in line after a queue changed. */
  #update(queue: SenderQueue): void {
    this.#pendingCount -= queue.pendingCount;
    queue.pendingCount = countPending(queue);
    this.#pendingCount += queue.pendingCount;
    const { length } = queue.entries;
    // All of them: one that was told may stand behind one that was not, which took another's place while there was a gap before both.
    for (let index = 0; index < length; index++) {
      const entry = queue.entries[index]!;
      if (index >= queue.pendingCount) this.#backlog.uncount(entry);
      else {
        this.#announce(entry);
        this.#backlog.count(entry);
      }
    }
    if (length === 0) this.#bySender.delete(queue.sender);
    else this.#tails.push(this.#candidateAt(queue, length - 1));
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
        compareCandidates,
        [...this.#bySender.values()].map((queue) => this.#candidateAt(queue, queue.entries.length - 1)),
      );
  }
}
