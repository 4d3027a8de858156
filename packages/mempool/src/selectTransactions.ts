import type { VerifiedTransaction } from '@prime/codec';
import { type Address, bigintMin, createHeap } from '@prime/primitives';
import { type Entry, type SenderQueue, spendable } from './senderQueue.ts';

export interface TransactionSelection {
  readonly baseFee: bigint;
  /** Gas that the transactions' limits may add up to. */
  readonly gasLimit: bigint;
  readonly maxBytes: number;
  /** Wei that deposit actions of the same block take from accounts before transactions run. */
  readonly deposits?: ReadonlyMap<Address, bigint>;
}

/** A sender whose next transaction competes for a place. */
interface Runner {
  readonly queue: SenderQueue;
  next: number;
  entry: Entry;
  tip: bigint;
  left: bigint;
}

/** What the proposer gets per gas. @returns negative when the transaction does not even pay the base fee */
export const effectiveTip = ({ maxFeePerGas, maxPriorityFeePerGas }: VerifiedTransaction, baseFee: bigint): bigint =>
  bigintMin(maxPriorityFeePerGas, maxFeePerGas - baseFee);

const better = (a: Runner, b: Runner): number =>
  a.tip === b.tip ? a.entry.arrival - b.entry.arrival : a.tip > b.tip ? -1 : 1;

/** Whether the runner's next transaction can be in the block at all, room aside. */
function advance(runner: Runner, index: number, baseFee: bigint): boolean {
  const { queue } = runner;
  const entry = index < queue.pendingCount ? queue.entries[index] : undefined;
  if (entry === undefined || entry.cost > runner.left) return false;
  runner.next = index;
  runner.entry = entry;
  runner.tip = effectiveTip(entry.transaction, baseFee);
  return runner.tip >= 0n;
}

/**
 * Transactions of a proposal: the best effective tip first, each sender's in the order of nonces, ties to the earlier arrival. The
 * result passes every validator's check: nonces continue the accounts', and each sender can pay the highest cost of all of its
 * transactions after the block's deposits. A transaction that does not fit ends its sender's turn; smaller ones still fill up.
 */
export function selectTransactions(
  queues: Iterable<SenderQueue>,
  selection: TransactionSelection,
): VerifiedTransaction[] {
  const { baseFee, deposits } = selection;
  const runners: Runner[] = [];
  for (const queue of queues) {
    const first = queue.entries[0];
    if (first === undefined) continue;
    const left = spendable(queue, deposits?.get(queue.sender) ?? 0n);
    const runner: Runner = { queue, next: 0, entry: first, tip: 0n, left };
    if (advance(runner, 0, baseFee)) runners.push(runner);
  }
  const heap = createHeap(better, runners);
  const selected: VerifiedTransaction[] = [];
  let gas = selection.gasLimit;
  let bytes = selection.maxBytes;
  for (let runner = heap.pop(); runner !== undefined; runner = heap.pop()) {
    const { transaction, cost } = runner.entry;
    if (transaction.gasLimit > gas || transaction.raw.length > bytes) continue;
    selected.push(transaction);
    gas -= transaction.gasLimit;
    bytes -= transaction.raw.length;
    runner.left -= cost;
    if (advance(runner, runner.next + 1, baseFee)) heap.push(runner);
  }
  return selected;
}

/** Whether some transaction could be in the next block. Ends at the first that can. */
export function hasExecutableTransaction(queues: Iterable<SenderQueue>, baseFee: bigint): boolean {
  for (const queue of queues) {
    const first = queue.entries[0];
    if (first === undefined || queue.pendingCount === 0) continue;
    if (first.transaction.maxFeePerGas >= baseFee && first.cost <= queue.account.balance) return true;
  }
  return false;
}
