import type { DomainEventOf } from '../streams/domainEvents.ts';
import type { Address, Hash, Hex, Wei } from './primitives.ts';

/** What proves that a block was decided. */
export interface Commit {
  readonly height: bigint;
  readonly blockHash: Hash;
  /** Encoding of the header, whose hash is the block's. */
  readonly header: Hex;
  readonly round: number;
  readonly signatures: readonly { readonly validator: Address; readonly signature: Hex }[];
}

/** An action of a block and what it answered there. */
export interface BlockAction {
  readonly hash: Hash;
  /** As it was signed. */
  readonly raw: Hex;
  readonly status: 'success' | 'refused';
  /** RLP of what it answered. */
  readonly output: Hex;
}

/** A validator of the active set. */
export interface Validator {
  readonly address: Address;
  readonly publicKey: Hex;
  readonly stake: Wei;
  readonly votingPower: bigint;
  readonly status: string;
  readonly proposerPriority: bigint;
  readonly moniker: string;
}

/** A validator with stake, in the set or not. */
export interface RegisteredValidator {
  readonly address: Address;
  readonly signer: Address;
  readonly publicKey: Hex;
  readonly stake: Wei;
  readonly votingPower: bigint;
  readonly status: string;
  /** Null where it is not in jail, or for ever. */
  readonly jailedUntilMs: number | null;
  readonly tombstoned: boolean;
  readonly moniker: string;
  readonly endpoint: { readonly host: string; readonly port: number; readonly spki: Hex } | null;
}

/** A message that contradicts another one of the same validator. */
export interface EvidenceMessage {
  /** Null is a vote for no block. */
  readonly blockHash: Hash | null;
  /** Of a block that is proposed again, the round whose prevotes justify it; null for anything else. */
  readonly polRound: number | null;
  readonly signature: Hex;
}

/** What proves that a validator signed two messages at one place, for which it is slashed and never comes back. */
export interface BlockEvidence {
  readonly validator: Address;
  readonly signed: 'prevote' | 'precommit' | 'proposal';
  readonly height: bigint;
  readonly round: number;
  readonly first: EvidenceMessage;
  readonly second: EvidenceMessage;
}

/** A block as the chain itself sees it. */
export interface NativeBlock {
  readonly number: bigint;
  /** Null of the pending one. */
  readonly hash: Hash | null;
  readonly parentHash: Hash;
  readonly proposer: Address;
  readonly timestampMs: number;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  readonly baseFee: Wei;
  readonly stateRoot: Hash;
  /** Null where the order book's state is not kept. */
  readonly ordersRoot: Hash | null;
  readonly receiptsRoot: Hash;
  readonly eventsRoot: Hash;
  readonly validatorsHash: Hash;
  readonly nextValidatorsHash: Hash;
  /** Null for genesis. */
  readonly commit: {
    readonly round: number;
    readonly signatureCount: number;
    readonly signers: readonly Address[];
  } | null;
  /** Round in which the block before was decided; null for the first. */
  readonly lastCommitRound: number | null;
  readonly transactionCount: number;
  readonly actionCount: number;
  /** Hashes of its EVM transactions, in order. */
  readonly transactions: readonly Hash[];
  readonly domainEvents: readonly DomainEventOf[];
  /** Against validators; mostly empty. */
  readonly evidence: readonly BlockEvidence[];
}

/** A block without what is in it, and without what is read from its state. */
export type NativeBlockHead = Omit<NativeBlock, 'ordersRoot' | 'transactions' | 'domainEvents' | 'evidence'>;

/** What is proven of the order book: a record, or that there is none. */
export interface OrdersProof {
  readonly blockNumber: bigint;
  readonly blockHash: Hash;
  readonly stateRoot: Hash;
  /** Of the leaf. */
  readonly key: Hex;
  readonly present: boolean;
  readonly record: { readonly key: Hex; readonly value: Hex } | null;
  readonly steps: readonly { readonly depth: number; readonly children: readonly Hash[] }[];
  readonly accountProof: OrdersAccountProof;
}

/** EIP-1186 proof of the account 0x…0100 and of its slot 0, the orders root. */
export interface OrdersAccountProof {
  readonly address: Address;
  readonly accountProof: readonly Hex[];
  readonly balance: Wei;
  readonly codeHash: Hash;
  readonly nonce: number;
  readonly storageHash: Hash;
  readonly storageProof: readonly { readonly key: Hash; readonly value: bigint; readonly proof: readonly Hex[] }[];
}
