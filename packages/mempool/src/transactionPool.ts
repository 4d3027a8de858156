import type { AccountChange, VerifiedTransaction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { refuse } from './errors.ts';
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

/**
 * Waiting EVM transactions: one nonce-ordered queue per sender, and an index of what would be evicted first.
 *
 * Only the last transaction of a sender is ever evicted, so eviction never opens a gap. The index orders tails by their fees,
 * which do not change with the base fee; it is cleaned lazily, because tails change with every insertion.
 */
export interface TransactionPool {
  add(transaction: VerifiedTransaction, account: Account): void;
  get(hash: Hash): VerifiedTransaction | null;
  queues(): Iterable<SenderQueue>;
  queueOf(sender: Address): SenderQueue | null;
  /** Takes out what a block included and brings accounts up to date. */
  commit(included: readonly Hash[], accounts: readonly AccountChange[]): void;
  readonly count: number;
  readonly bytes: number;
  readonly pendingCount: number;
}

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

export function createTransactionPool(limits: MempoolLimits, blockGasLimit: bigint): TransactionPool {
  const byHash = new Map<Hash, Entry>();
  const bySender = new Map<Address, SenderQueue>();
  let tails: Heap<Entry> = createHeap(compareWorth);
  let arrivals = 0;
  let bytes = 0;
  let pendingCount = 0;

  /** Stale index entries stay until they come to the top; a rebuild bounds how many there can be. */
  const trimIndex = (): void => {
    if (tails.size > 64 + 4 * bySender.size)
      tails = createHeap(
        compareWorth,
        [...bySender.values()].map((queue) => tailOf(queue)!),
      );
  };

  /** Brings counters, index and the map of senders in line after a queue changed. */
  const settle = (queue: SenderQueue): void => {
    pendingCount -= queue.pendingCount;
    queue.pendingCount = countPending(queue);
    pendingCount += queue.pendingCount;
    const tail = tailOf(queue);
    if (tail === undefined) bySender.delete(queue.sender);
    else tails.push(tail);
    trimIndex();
  };

  const drop = (queue: SenderQueue, from: number, count: number): void => {
    for (const entry of queue.entries.splice(from, count)) {
      queue.cost -= entry.cost;
      bytes -= entry.transaction.raw.length;
      byHash.delete(entry.transaction.hash);
    }
  };

  const refresh = (queue: SenderQueue, account: Account): void => {
    if (queue.account.nonce === account.nonce && queue.account.balance === account.balance) return;
    queue.account = account;
    drop(queue, 0, placeOf(queue, account.nonce));
    // What costs more than the whole balance can not run; what only together costs too much may wait for funds.
    for (let index = queue.entries.length - 1; index >= 0; index--)
      if (queue.entries[index]!.cost > account.balance) drop(queue, index, 1);
    settle(queue);
  };

  /** Evicts what is worth less, or refuses the newcomer and evicts nothing. */
  const makeRoom = (entry: Entry, replaced: Entry | null): void => {
    const size = entry.transaction.raw.length - (replaced?.transaction.raw.length ?? 0);
    let count = byHash.size + (replaced === null ? 1 : 0);
    let total = bytes + size;
    const plan = createEvictionPlan(bySender, tails);
    while (count > limits.transactionCountMax || total > limits.transactionBytesMax) {
      const victim = plan.next();
      const blocked = victim === undefined || victim === replaced || evictionOpensGap(victim, entry.transaction);
      if (blocked || compareWorth(victim, entry) >= 0) {
        plan.undo();
        trimIndex();
        return blocked
          ? refuse('txpool is full', { code: 'MEMPOOL_FULL', limit: describeLimit(limits) })
          : refuse('transaction underpriced: the pool is full', { code: 'MEMPOOL_UNDERPRICED' });
      }
      count--;
      total -= victim.transaction.raw.length;
    }
    for (const [queue, taken] of plan.taken) {
      drop(queue, queue.entries.length - taken, taken);
      settle(queue);
    }
  };

  const insert = (queue: SenderQueue, entry: Entry, replaced: Entry | null): void => {
    const { transaction } = entry;
    const place = placeOf(queue, transaction.nonce);
    if (replaced !== null) drop(queue, place, 1);
    queue.entries.splice(place, 0, entry);
    queue.cost += entry.cost;
    bytes += transaction.raw.length;
    byHash.set(transaction.hash, entry);
    bySender.set(queue.sender, queue);
    settle(queue);
  };

  return {
    add(transaction, account) {
      if (byHash.has(transaction.hash)) refuse('already known', { code: 'MEMPOOL_ALREADY_KNOWN' });
      checkAlone(transaction, account, limits, blockGasLimit);
      const known = bySender.get(transaction.sender);
      if (known !== undefined) refresh(known, account);
      const queue = bySender.get(transaction.sender) ?? createSenderQueue(transaction.sender, account);
      const replaced = entryAt(queue, transaction.nonce);
      const entry: Entry = { transaction, cost: costOf(transaction), arrival: arrivals++ };
      checkReplacement(transaction, replaced, limits);
      checkQueue(queue, entry, replaced, byHash.size - pendingCount, limits);
      makeRoom(entry, replaced);
      insert(queue, entry, replaced);
    },
    get: (hash) => byHash.get(hash)?.transaction ?? null,
    queues: () => bySender.values(),
    queueOf: (sender) => bySender.get(sender) ?? null,
    commit(included, accounts) {
      for (const { address, nonce, balance } of accounts) {
        const queue = bySender.get(address);
        if (queue !== undefined) refresh(queue, { nonce, balance });
      }
      // Left over is only what was included and did not run, so that the nonce did not move past it.
      for (const hash of included) {
        const entry = byHash.get(hash);
        const queue = entry === undefined ? undefined : bySender.get(entry.transaction.sender);
        if (entry === undefined || queue === undefined) continue;
        drop(queue, placeOf(queue, entry.transaction.nonce), 1);
        settle(queue);
      }
    },
    get count() {
      return byHash.size;
    },
    get bytes() {
      return bytes;
    },
    get pendingCount() {
      return pendingCount;
    },
  };
}

interface EvictionPlan {
  /** How many go from the end of each queue. */
  readonly taken: ReadonlyMap<SenderQueue, number>;
  /** The least worthy transaction that is still the last of its sender; undefined when nothing is left. */
  next(): Entry | undefined;
  /** Puts back what {@link next} took out of the index. */
  undo(): void;
}

/** Chooses victims without touching the queues, so that a refusal half-way costs nobody a place. */
function createEvictionPlan(bySender: ReadonlyMap<Address, SenderQueue>, tails: Heap<Entry>): EvictionPlan {
  const taken = new Map<SenderQueue, number>();
  const victims: Entry[] = [];
  return {
    taken,
    next() {
      for (let entry = tails.pop(); entry !== undefined; entry = tails.pop()) {
        const queue = bySender.get(entry.transaction.sender);
        if (queue === undefined) continue;
        const before = taken.get(queue) ?? 0;
        // Anything else is a stale entry of the index.
        if (queue.entries.at(-1 - before) !== entry) continue;
        victims.push(entry);
        taken.set(queue, before + 1);
        const following = queue.entries.at(-2 - before);
        if (following !== undefined) tails.push(following);
        return entry;
      }
      return undefined;
    },
    undo() {
      for (const victim of victims) tails.push(victim);
    },
  };
}

const describeLimit = (limits: MempoolLimits): string =>
  `${limits.transactionCountMax} transactions, ${limits.transactionBytesMax} bytes`;

/** A sender's own earlier transaction must not make room for a later one. */
const evictionOpensGap = (victim: Entry, newcomer: VerifiedTransaction): boolean =>
  victim.transaction.sender === newcomer.sender && victim.transaction.nonce < newcomer.nonce;

/** What can be said without looking at other transactions. */
function checkAlone(
  transaction: VerifiedTransaction,
  account: Account,
  limits: MempoolLimits,
  blockGasLimit: bigint,
): void {
  const size = transaction.raw.length;
  if (size > limits.transactionSizeMax)
    refuse(`oversized data: transaction size ${size}, limit ${limits.transactionSizeMax}`, {
      code: 'MEMPOOL_OVERSIZED',
      size,
      limit: limits.transactionSizeMax,
    });
  if (transaction.gasLimit > blockGasLimit)
    refuse('exceeds block gas limit', {
      code: 'MEMPOOL_GAS_LIMIT',
      gasLimit: transaction.gasLimit.toString(),
      limit: blockGasLimit.toString(),
    });
  if (transaction.maxPriorityFeePerGas > transaction.maxFeePerGas)
    refuse('max priority fee per gas higher than max fee per gas', { code: 'MEMPOOL_TIP_ABOVE_FEE_CAP' });
  if (transaction.maxPriorityFeePerGas < limits.tipMin)
    refuse(
      `transaction underpriced: gas tip cap ${transaction.maxPriorityFeePerGas}, minimum needed ${limits.tipMin}`,
      {
        code: 'MEMPOOL_UNDERPRICED',
      },
    );
  if (transaction.nonce < account.nonce)
    refuse(`nonce too low: next nonce ${account.nonce}, tx nonce ${transaction.nonce}`, {
      code: 'MEMPOOL_NONCE_TOO_LOW',
      nextNonce: account.nonce,
      nonce: transaction.nonce,
    });
}

/** Both fees have to be higher, and at least by the bump (rounded down, as go-ethereum does). */
function checkReplacement(next: VerifiedTransaction, replaced: Entry | null, limits: MempoolLimits): void {
  if (replaced === null) return;
  const old = replaced.transaction;
  const factor = BigInt(100 + limits.priceBumpPercent);
  const enough = (fee: bigint, oldFee: bigint): boolean => fee > oldFee && fee >= (oldFee * factor) / 100n;
  if (enough(next.maxFeePerGas, old.maxFeePerGas) && enough(next.maxPriorityFeePerGas, old.maxPriorityFeePerGas))
    return;
  refuse('replacement transaction underpriced', {
    code: 'MEMPOOL_REPLACEMENT_UNDERPRICED',
    bumpPercent: limits.priceBumpPercent,
  });
}

/** Funds for all that waits, and room in the sender's queue and behind gaps. */
function checkQueue(
  queue: SenderQueue,
  entry: Entry,
  replaced: Entry | null,
  queuedCount: number,
  limits: MempoolLimits,
): void {
  const waitingCost = queue.cost - (replaced?.cost ?? 0n);
  const { balance, nonce } = queue.account;
  if (waitingCost + entry.cost > balance)
    refuse(
      `insufficient funds for gas * price + value: balance ${balance}, queued cost ${waitingCost}, tx cost ${entry.cost}`,
      {
        code: 'MEMPOOL_INSUFFICIENT_FUNDS',
        balance: balance.toString(),
        waitingCost: waitingCost.toString(),
        cost: entry.cost.toString(),
      },
    );
  if (replaced !== null) return;
  if (queue.entries.length >= limits.senderTransactionsMax)
    refuse(`account limit exceeded: ${limits.senderTransactionsMax} transactions of ${queue.sender} wait`, {
      code: 'MEMPOOL_ACCOUNT_LIMIT',
      limit: limits.senderTransactionsMax,
    });
  const behindGap = entry.transaction.nonce > nonce + queue.pendingCount;
  if (behindGap && queuedCount >= limits.queuedCountMax)
    refuse('txpool is full: too many transactions wait behind a nonce gap', {
      code: 'MEMPOOL_FULL',
      limit: `${limits.queuedCountMax} queued transactions`,
    });
}
