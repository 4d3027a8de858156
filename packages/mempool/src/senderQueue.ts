import type { VerifiedTransaction } from '@prime/codec';
import type { Address } from '@prime/primitives';

/** A waiting transaction. */
export interface Entry {
  readonly transaction: VerifiedTransaction;
  /** The most it can take from its sender: gas limit * highest price + value, wei. */
  readonly cost: bigint;
  /** Order of arrival, unique. */
  readonly arrival: number;
  /** Came from a client of this node, within the bound of such. */
  readonly local: boolean;
  /** Whether it was told that this became executable. */
  announced: boolean;
  /** What it calls, for {@link GasEstimates}. */
  readonly call: string | null;
  /** Gas that it is expected to use. */
  work: number;
  /** Where it is counted in the {@link Backlog}; null where it is not. */
  level: number | null;
}

/** What the newest committed state says of a sender; the balance is in wei. */
export interface Account {
  readonly nonce: number;
  readonly balance: bigint;
  /** Whether the account runs code (EIP-7702): then what it sent is not all that can spend its balance. */
  readonly delegated?: boolean;
}

/** The transactions of one sender, by nonce ascending, and what is known of its account. */
export interface SenderQueue {
  readonly sender: Address;
  account: Account;
  /** Nonces are all different and at least the account's. */
  readonly entries: Entry[];
  /** How many entries, from the first, follow each other without a gap from the account's nonce on. */
  pendingCount: number;
  /** Sum of the costs of all entries. */
  cost: bigint;
  /** Gas that all entries are expected to use. */
  work: number;
  /** Block time of the newest arrival, ms; 0 before the first block. */
  activeAtMs: number;
}

/** A queue in which nothing waits. */
export const createSenderQueue = (sender: Address, account: Account): SenderQueue => ({
  sender,
  account,
  entries: [],
  pendingCount: 0,
  cost: 0n,
  work: 0,
  activeAtMs: 0,
});

/** Index of the first entry with at least this nonce. */
export function placeOf({ entries }: SenderQueue, nonce: number): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.transaction.nonce < nonce) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The transaction with exactly this nonce; null when none waits. */
export function entryAt(queue: SenderQueue, nonce: number): Entry | null {
  const entry = queue.entries[placeOf(queue, nonce)];
  return entry?.transaction.nonce === nonce ? entry : null;
}

/** Nonces ascend without repetition, so `nonce - index` never falls: the gap is found by bisection. */
export function countPending({ entries, account }: SenderQueue): number {
  let low = 0;
  let high = entries.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.transaction.nonce === account.nonce + middle) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What the sender has left for transactions when a block also takes `deposited` from it (a faucet may pay what is missing). */
export const spendable = ({ account }: SenderQueue, deposited: bigint): bigint =>
  account.balance > deposited ? account.balance - deposited : 0n;
