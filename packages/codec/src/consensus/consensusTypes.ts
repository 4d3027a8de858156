import type { Address, Hash, Height, Round, TimestampMs } from '@prime/primitives';

/** Results of executing one block; header N carries those of block N-1. */
export interface ExecutionRoots {
  /** Merkle Patricia root of the whole state, the orders root included (slot 0 of 0x…0100). */
  readonly stateRoot: Hash;
  readonly receiptsRoot: Hash;
  readonly eventsRoot: Hash;
  readonly gasUsed: bigint;
}

/** What validators vote for: the hash of its encoding is the hash of the block. */
export interface Header {
  /** Protocol version that the block was made under. */
  readonly version: number;
  readonly chainId: number;
  readonly height: Height;
  /** Proposer's wall clock, strictly increasing from block to block. */
  readonly timestampMs: TimestampMs;
  readonly parentHash: Hash;
  readonly proposer: Address;
  readonly validatorsHash: Hash;
  readonly nextValidatorsHash: Hash;
  readonly bodyRoot: Hash;
  readonly lastCommitHash: Hash;
  readonly evidenceHash: Hash;
  readonly gasLimit: bigint;
  /** EIP-1559 base fee of this block, a function of the parent's gas limit, gas used and base fee. */
  readonly baseFee: bigint;
  /** Results of the parent; for block 1 those of genesis. */
  readonly parentResults: ExecutionRoots;
}

/** Header and body. The header commits to every list here by a root or hash. */
export interface Block {
  readonly header: Header;
  /** EIP-2718 encodings, in execution order. */
  readonly transactions: readonly Uint8Array[];
  /** Native transactions (0x50 …), in proposed order. */
  readonly actions: readonly Uint8Array[];
  readonly evidence: readonly Evidence[];
  /** Certificate of the parent; null in block 1 only. */
  readonly lastCommit: CommitCertificate | null;
}

/** The first and the second vote of a round. */
export type VoteType = 'prevote' | 'precommit';

/** A signed vote of one validator in one round. */
export interface Vote {
  readonly type: VoteType;
  readonly height: Height;
  readonly round: Round;
  /** null is a vote for nil. */
  readonly blockHash: Hash | null;
  readonly validator: Address;
  /** 65 bytes r | s | yParity, low s, over {@link voteSignBytes}. */
  readonly signature: Uint8Array;
}

/** The block that the proposer of a round puts forward. The block itself travels beside it, named by its hash. */
export interface Proposal {
  readonly height: Height;
  readonly round: Round;
  /** Round of the polka that justifies proposing this value again; -1 for a new value. */
  readonly polRound: Round;
  readonly blockHash: Hash;
  readonly proposer: Address;
  readonly signature: Uint8Array;
}

/** One validator's signature, 65 bytes r | s | yParity, over the precommit that the certificate is about. */
export interface CommitSignature {
  readonly validator: Address;
  readonly signature: Uint8Array;
}

/** Precommits of more than 2/3 of the voting power for one block; enough for a light client. */
export interface CommitCertificate {
  readonly height: Height;
  readonly round: Round;
  readonly blockHash: Hash;
  /** In the order of the validator set, each validator at most once. */
  readonly signatures: readonly CommitSignature[];
}

/** Votes of more than 2/3 for one value or nil (polka), or of a skip quorum (round), relayed for liveness. */
export interface VoteCertificate {
  readonly kind: 'polka' | 'round';
  readonly height: Height;
  readonly round: Round;
  readonly votes: readonly Vote[];
}

/** Two messages of one validator at one place that contradict each other; both carry its signature. */
export type Evidence =
  | { readonly kind: 'duplicateVote'; readonly first: Vote; readonly second: Vote }
  | { readonly kind: 'duplicateProposal'; readonly first: Proposal; readonly second: Proposal };

/** A member of a validator set. Stake is in wei. */
export interface Validator {
  /** Owner (cold) address; what `proposer` shows. */
  readonly address: Address;
  /** Address of the hot key that signs votes, proposals and gateway actions. */
  readonly signer: Address;
  /** Compressed secp256k1 public key of the signer, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly stake: bigint;
  /** Voting power, > 0. */
  readonly power: bigint;
  readonly moniker: string;
}

/** Where a validator that joined can be reached by the others. */
export interface ValidatorEndpoint {
  readonly host: string;
  readonly port: number;
  /** Pin of its TLS key: SHA-256 of the SubjectPublicKeyInfo. */
  readonly spki: Hash;
}

/** A validator as the staking state knows it, in the set or not. */
export interface RegisteredValidator extends Validator {
  /** Only who is `active` is in the set, from the second block on after it became so. */
  readonly status: 'active' | 'jailed' | 'left';
  /** Block time, ms, from which it may come back; of no meaning unless it is jailed. */
  readonly jailedUntilMs: TimestampMs;
  /** Signed two messages at one place: never comes back. */
  readonly tombstoned: boolean;
  /** null for one of genesis that never told it. */
  readonly endpoint: ValidatorEndpoint | null;
}

/** A validator with its place in the weighted round robin. */
export interface RankedValidator extends Validator {
  readonly proposerPriority: bigint;
}

/** Sorted by power descending, then address ascending. */
export interface ValidatorSet {
  readonly validators: readonly RankedValidator[];
}
