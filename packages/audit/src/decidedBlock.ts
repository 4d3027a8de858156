import type { ActionResult, ContractAction, DomainEvent, Log, VerifiedAction } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';

/** A transaction of a block with what came of it. Amounts in wei. */
export interface ExecutedTransaction {
  readonly hash: Hash;
  /** EIP-2718 type. */
  readonly type: number;
  readonly from: Address;
  /** null makes a contract. */
  readonly to: Address | null;
  readonly nonce: number;
  readonly value: bigint;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  /** Wei per gas. */
  readonly effectiveGasPrice: bigint;
  readonly contractAddress: Address | null;
  readonly logs: readonly Log[];
}

/**
 * A block as one node has it: what was decided, and what the node's own execution made of it. Where it was read, over JSON-RPC or from a disk, makes
 * no difference.
 */
export interface DecidedBlock {
  readonly height: number;
  readonly timeMs: number;
  readonly hash: Hash;
  readonly stateRoot: Hash;
  readonly proposer: Address;
  /** Wei per gas. */
  readonly baseFee: bigint;
  readonly actions: readonly VerifiedAction[];
  /** What contracts asked for in the block before. */
  readonly writes: readonly ContractAction[];
  /** Of the actions, in their order. */
  readonly results: readonly ActionResult[];
  readonly events: readonly DomainEvent[];
  readonly transactions: readonly ExecutedTransaction[];
}

/** Contracts that a block's transactions made. */
export const deployedIn = ({ transactions }: DecidedBlock): number =>
  transactions.filter(({ contractAddress }) => contractAddress !== null).length;

/** Transactions of a block that did more than pay. */
export const calledIn = ({ transactions }: DecidedBlock): number =>
  transactions.filter(({ gasUsed }) => gasUsed > 21_000n).length;

/** Transactions of a block that failed. */
export const revertedIn = ({ transactions }: DecidedBlock): number =>
  transactions.filter(({ status }) => status === 0).length;
