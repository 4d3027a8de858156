import type { VerifiedTransaction } from '@prime/codec';
import { type Address, createHeap } from '@prime/primitives';
import { effectiveTip } from './effectiveTip.ts';
import { type Entry, type SenderQueue, spendable } from './senderQueue.ts';

/** Room that a block has for transactions, and what they will pay at least. */
export interface TransactionSelection {
  readonly baseFee: bigint;
  /** Gas that the transactions' limits may add up to. */
  readonly gasLimit: bigint;
  /** Gas that they may be expected to use together; as much as the limit allows when absent. */
  readonly gasExpectedMax?: number;
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
  funds: bigint;
}

const better = (a: Runner, b: Runner): number =>
  a.tip === b.tip ? a.entry.arrival - b.entry.arrival : a.tip > b.tip ? -1 : 1;

/** Whether the runner's next transaction can be in the block at all, room aside. */
function advance(runner: Runner, index: number, baseFee: bigint): boolean {
  const { queue } = runner;
  const entry = index < queue.pendingCount ? queue.entries[index] : undefined;
  if (entry === undefined || entry.cost > runner.funds) return false;
  runner.next = index;
  runner.entry = entry;
  runner.tip = effectiveTip(entry.transaction, baseFee);
  return runner.tip >= 0n;
}

/**
 * Transactions of a proposal: the best effective tip first, each sender's in the order of nonces, ties to the earlier arrival. The
 * result passes every validator's check: nonces continue the accounts', and each sender can pay the highest cost of all of its
 * transactions after the block's deposits. A transaction that does not fit ends its sender's turn; smaller ones still fill up.
 *
 * Limits bound a block for everybody; what its transactions are expected to use bounds what is proposed, and is the proposer's own affair (ADR 197).
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
    const funds = spendable(queue, deposits?.get(queue.sender) ?? 0n);
    const runner: Runner = { queue, next: 0, entry: first, tip: 0n, funds };
    if (advance(runner, 0, baseFee)) runners.push(runner);
  }
  const heap = createHeap(better, runners);
  const selected: VerifiedTransaction[] = [];
  let gas = selection.gasLimit;
  let expected = selection.gasExpectedMax ?? Number.POSITIVE_INFINITY;
  let bytes = selection.maxBytes;
  for (let runner = heap.pop(); runner !== undefined; runner = heap.pop()) {
    const { transaction, cost, work } = runner.entry;
    // One that is dearer than what is proposed at once is proposed alone.
    const isTooMuch = work > expected && selected.length > 0;
    if (isTooMuch || transaction.gasLimit > gas || transaction.raw.length > bytes) continue;
    selected.push(transaction);
    gas -= transaction.gasLimit;
    expected -= work;
    bytes -= transaction.raw.length;
    runner.funds -= cost;
    if (advance(runner, runner.next + 1, baseFee)) heap.push(runner);
  }
  return selected;
}

/** Calls `take` for what the next block could take of a queue, room aside. */
export function eachIncludable(queue: SenderQueue, baseFee: bigint, take: (entry: Entry) => void): void {
  let funds = queue.account.balance;
  for (let index = 0; index < queue.pendingCount; index++) {
    const entry = queue.entries[index]!;
    if (entry.cost > funds || entry.transaction.maxFeePerGas < baseFee) return;
    funds -= entry.cost;
    take(entry);
  }
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
