import type { Address, Hash, Hex } from './primitives.ts';

/**
 * What an account is to a transaction: its sender, its recipient, the contract that it created; to a signed action: its owner (sender), one whom it names,
 * or the agent that signed it.
 */
export type AccountRole = 'sender' | 'recipient' | 'created' | 'named' | 'agent';

/** A transaction or signed action that concerns an account. */
export interface AccountTransaction {
  /** At least one. */
  readonly roles: readonly AccountRole[];
  /** Whether it was carried out: false where it reverted or was refused in its block. */
  readonly isOk: boolean;
  readonly hash: Hash;
  /** Of EIP-2718; 0x50 is a signed action. */
  readonly type: number;
  readonly blockNumber: bigint;
  /** Among the transactions of the block and, behind them, its actions. */
  readonly transactionIndex: number;
  /** Of the block, seconds since 1970. */
  readonly blockTimestamp: number;
  readonly from: Address;
  /** Null where a contract is made. */
  readonly to: Address | null;
  /** Wei; of an action 0. */
  readonly value: bigint;
  readonly nonce: bigint;
  readonly input: Hex;
  /** Kind of a signed action, null of a transaction. */
  readonly actionType: string | null;
}

/** A place in the chain. */
export interface BlockPlace {
  readonly blockNumber: bigint;
  readonly transactionIndex: number;
}

/** A page of an account's history. */
export interface AccountTransactions {
  /** The last first. */
  readonly transactions: readonly AccountTransaction[];
  /** The `before` of the next page; null on the last one. */
  readonly next: BlockPlace | null;
  /** Oldest block that the node looked at; 1 where it keeps all. */
  readonly oldestBlock: bigint;
}
