import type { VerifiedAction, VerifiedTransaction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';
import { type ActionSelection, createActionPool } from './actionPool.ts';
import type { DrainRates, MempoolCommit, MempoolDrain } from './commit.ts';
import { refuse } from './errors.ts';
import { defaultMempoolLimits, type MempoolOptions } from './options.ts';
import { hasExecutableTransaction, selectTransactions, type TransactionSelection } from './selectTransactions.ts';
import type { Account, SenderQueue } from './senderQueue.ts';
import { TransactionPool } from './transactionPool.ts';

interface WaitingTransaction {
  /** `queued` waits behind a nonce gap. */
  readonly status: 'pending' | 'queued';
  readonly transaction: VerifiedTransaction;
}

/** Something that waits, with its bytes as they came and what was verified of them. */
export type MempoolItem =
  | {
      readonly kind: 'transaction';
      /** `queued` waits behind a nonce gap. */
      readonly status: 'pending' | 'queued';
      readonly raw: Uint8Array;
      readonly hash: Hash;
      readonly transaction: VerifiedTransaction;
    }
  | { readonly kind: 'action'; readonly raw: Uint8Array; readonly hash: Hash; readonly action: VerifiedAction };

/** How full it is. Bytes are those of the encoded transactions and actions. */
export interface MempoolStatus {
  /** Transactions that follow their accounts' nonces without a gap. */
  readonly pending: number;
  readonly queued: number;
  readonly transactionBytes: number;
  readonly actions: number;
  readonly actionBytes: number;
}

/**
 * What waits for a block. A state machine without clock and I/O: signatures are verified before, and committed blocks are its
 * only source of time and balances.
 */
export interface Mempool {
  /**
   * @param account committed nonce and balance of the sender, now
   * @param origin  `local` came from a client of this node: evicted after what came from elsewhere, and refused where blocks would not take
   *   it soon ({@link MempoolLimits.drainMs})
   * @throws MempoolError see errors.ts; nothing has changed then but the account
   */
  addTransaction(transaction: VerifiedTransaction, account: Account, origin?: 'local' | 'peer'): void;
  /** @throws MempoolError `MEMPOOL_ALREADY_KNOWN`, `_FULL`, `_ACCOUNT_LIMIT`, `MEMPOOL_ACTION_NONCE_TAKEN`, `_EXPIRED`, `MEMPOOL_OVERSIZED` */
  addAction(action: VerifiedAction, origin?: 'local' | 'peer'): void;
  /** A waiting transaction, for proposals that name it by hash. */
  transaction(hash: Hash): VerifiedTransaction | null;
  action(hash: Hash): VerifiedAction | null;
  /**
   * Transactions that wait, of one sender or (null) of all, each sender's by nonce.
   *
   * @throws MempoolError `MEMPOOL_CONTENT_TOO_LARGE` when they have more than `maxBytes`
   */
  transactions(sender: Address | null, maxBytes: number): readonly WaitingTransaction[];
  /** Does not take them out: {@link onCommit} does. */
  selectTransactions(selection: TransactionSelection): readonly VerifiedTransaction[];
  selectActions(selection: ActionSelection): readonly VerifiedAction[];
  /** @returns what the block took, for whoever measures at which rate blocks take things */
  onCommit(commit: MempoolCommit): MempoolDrain;
  /** At which rate blocks take things now. Nothing is refused for it before the first call. */
  setDrainRates(rates: DrainRates): void;
  /** Whether a block proposed now would carry something. */
  hasExecutable(): boolean;
  /** Nonce that the sender's next transaction should have; null when nothing of it waits (then it is the account's). */
  pendingNonce(sender: Address): number | null;
  status(): MempoolStatus;
  /** Transactions by sender and nonce, then actions by arrival. Ends early or is wrong when the mempool changes meanwhile. */
  content(): Iterable<MempoolItem>;
}

/** An empty mempool, in memory only. It has no clock: time is that of the newest block. */
export function createMempool(options: MempoolOptions): Mempool {
  const { blockBytesMax = Number.POSITIVE_INFINITY } = options;
  const configured = { ...defaultMempoolLimits, ...options.limits };
  const transactionSizeMax = Math.min(configured.transactionSizeMax, blockBytesMax);
  const limits = { ...configured, transactionSizeMax };
  const transactions = new TransactionPool(limits, options);
  const actions = createActionPool(limits, blockBytesMax);
  let { baseFee } = options;
  return {
    addTransaction: (transaction, account, origin = 'peer') =>
      transactions.add(transaction, account, origin === 'local'),
    addAction: (action, origin = 'peer') => actions.add(action, origin === 'local'),
    transaction: (hash) => transactions.get(hash),
    action: (hash) => actions.get(hash),
    transactions(sender, maxBytes) {
      const queue = sender === null ? null : transactions.queueOf(sender);
      const found: WaitingTransaction[] = [];
      let bytes = 0;
      for (const waiting of waitingIn(sender === null ? transactions.queues() : queue === null ? [] : [queue])) {
        bytes += waiting.transaction.raw.length;
        if (bytes > maxBytes)
          refuse(`the pooled transactions are longer than ${maxBytes} bytes: ask for one sender`, {
            code: 'MEMPOOL_CONTENT_TOO_LARGE',
            limit: maxBytes,
          });
        found.push(waiting);
      }
      return found;
    },
    selectTransactions: (selection) => selectTransactions(transactions.queues(), selection),
    selectActions: (selection) => actions.select(selection),
    onCommit(commit) {
      baseFee = commit.nextBaseFee;
      return {
        transactions: transactions.commit(commit),
        actions: actions.commit(commit.actions, commit.timestampMs),
      };
    },
    setDrainRates(rates) {
      transactions.drain.setRate(rates.transactions);
      actions.drain.setRate(rates.actions);
    },
    hasExecutable: () => actions.count > 0 || hasExecutableTransaction(transactions.queues(), baseFee),
    pendingNonce(sender) {
      const queue = transactions.queueOf(sender);
      return queue === null ? null : queue.account.nonce + queue.pendingCount;
    },
    status: () => ({
      pending: transactions.pendingCount,
      queued: transactions.count - transactions.pendingCount,
      transactionBytes: transactions.bytes,
      actions: actions.count,
      actionBytes: actions.bytes,
    }),
    *content() {
      for (const { status, transaction } of waitingIn(transactions.queues()))
        yield { kind: 'transaction', status, raw: transaction.raw, hash: transaction.hash, transaction };
      for (const action of actions.values()) yield { kind: 'action', raw: action.raw, hash: action.hash, action };
    },
  };
}

function* waitingIn(queues: Iterable<SenderQueue>): Iterable<WaitingTransaction> {
  for (const { entries, pendingCount } of queues)
    for (const [index, { transaction }] of entries.entries())
      yield { status: index < pendingCount ? 'pending' : 'queued', transaction };
}
