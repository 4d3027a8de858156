import type { Address, Hash, Height, MarketId, OrderId, Round, TimestampMs } from '@prime/primitives';

/**
 * The data model of the chain: what validators agree on, in the shape that code works with.
 *
 * Hashes and addresses are lower-case hex strings (they are map keys and end up in JSON), payloads are bytes.
 * The canonical bytes of each type are made in the file named after it; docs/protocol/encoding.md is the specification.
 */

/** Results of executing one block; header N carries those of block N-1. */
export interface ExecutionRoots {
  /** Merkle Patricia root of the whole state, the orders root included (slot 0 of 0x…0100). */
  readonly stateRoot: Hash;
  readonly receiptsRoot: Hash;
  readonly eventsRoot: Hash;
  readonly gasUsed: bigint;
}

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

export type VoteType = 'prevote' | 'precommit';

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

export interface Proposal {
  readonly height: Height;
  readonly round: Round;
  /** Round of the polka that justifies proposing this value again; -1 for a new value. */
  readonly polRound: Round;
  readonly blockHash: Hash;
  readonly proposer: Address;
  readonly signature: Uint8Array;
}

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

export type Evidence =
  | { readonly kind: 'duplicateVote'; readonly first: Vote; readonly second: Vote }
  | { readonly kind: 'duplicateProposal'; readonly first: Proposal; readonly second: Proposal };

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

export type Side = 'buy' | 'sell';
export type TimeInForce = 'gtc' | 'ioc' | 'fok';
export type SelfTradeMode = 'cancel_maker' | 'cancel_taker' | 'cancel_both' | 'decrement';

export interface OrderFields {
  readonly marketId: MarketId;
  readonly side: Side;
  /** Wei per size unit. */
  readonly price: bigint;
  readonly size: bigint;
  readonly tif: TimeInForce;
  readonly postOnly: boolean;
  readonly reduceOnly: boolean;
  readonly selfTrade: SelfTradeMode;
  /** 16 bytes as hex, or null. */
  readonly clientId: string | null;
  /** Block time in seconds after which the order is gone; 0 is never. */
  readonly expiresAt: number;
}

/** State changes of the order book domain; action types and field lists of the native transaction format. */
export type ActionPayload =
  | ({ readonly type: 'order' } & OrderFields)
  | { readonly type: 'cancel'; readonly orderId: OrderId }
  | { readonly type: 'cancelByClientId'; readonly marketId: MarketId; readonly clientId: string }
  | { readonly type: 'cancelAll'; readonly marketId: MarketId | null }
  | { readonly type: 'batch'; readonly items: readonly ActionPayload[] }
  | { readonly type: 'modify'; readonly orderId: OrderId; readonly price: bigint; readonly size: bigint }
  | { readonly type: 'deposit'; readonly amount: bigint }
  | { readonly type: 'withdraw'; readonly amount: bigint; readonly to: Address }
  | { readonly type: 'transfer'; readonly to: Address; readonly amount: bigint }
  | { readonly type: 'liquidate'; readonly address: Address }
  | { readonly type: 'addMarket'; readonly symbol: string; readonly tickSize: bigint; readonly lotSize: bigint }
  | {
      readonly type: 'setMargin';
      readonly marketId: MarketId | null;
      readonly initialMarginBps: number;
      readonly maintenanceMarginBps: number;
    }
  | {
      readonly type: 'approveAgent';
      readonly agent: Address;
      readonly expiry: number;
      readonly permissions: number;
      readonly name: string;
    }
  | { readonly type: 'revokeAgent'; readonly agent: Address }
  | { readonly type: 'bridgeDequeue'; readonly direction: TransferDirection; readonly max: number }
  | { readonly type: 'noop' }
  | { readonly type: 'lockAccount' }
  | { readonly type: 'enqueueEvmToOrders'; readonly to: Address; readonly amount: bigint }
  | ValidatorActionPayload;

/** Changes of the validators; only the owner of a validator can sign them, never an agent or a gateway. */
export type ValidatorActionPayload =
  /** Registers the account, jailed until {@link ValidatorActionPayload} `validatorUnjail`. */
  | ({
      readonly type: 'validatorJoin';
      /** Wei that are bonded. */
      readonly stake: bigint;
      readonly moniker: string;
    } & SignerClaim &
      ValidatorEndpoint)
  /** Out of the set; all stake is returned after the unbonding period. */
  | { readonly type: 'validatorLeave' }
  | { readonly type: 'validatorBond'; readonly amount: bigint }
  | { readonly type: 'validatorUnbond'; readonly amount: bigint }
  | ({ readonly type: 'validatorRotateSigner' } & SignerClaim)
  | { readonly type: 'validatorUnjail' }
  | { readonly type: 'validatorJail' }
  | ({ readonly type: 'validatorSetEndpoint' } & ValidatorEndpoint);

/** A hot key and the proof that whoever registers it has it. */
export interface SignerClaim {
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  /** 65 bytes r | s | yParity by that key, over {@link signerProofDigest}. */
  readonly proof: Uint8Array;
}

/** What a contract has the order book do, through 0x…0100. */
export type ContractPayload =
  | Extract<
      ActionPayload,
      { readonly type: 'order' | 'cancel' | 'cancelAll' | 'withdraw' | 'liquidate' | 'approveAgent' | 'revokeAgent' }
    >
  | { readonly type: 'cancelByClientId'; readonly clientId: string }
  /** The wei are in escrow already. */
  | { readonly type: 'deposit'; readonly to: Address; readonly amount: bigint };

/** Where a contract asked for something: in a transaction of the block before the one that carries it out. */
export interface ContractOrigin {
  /** Unique, ascending, from 1. */
  readonly ticket: number;
  readonly transactionHash: Hash;
}

export interface ContractAction extends ContractOrigin {
  /** Sender of the call. */
  readonly account: Address;
  readonly payload: ContractPayload;
}

/** Way of a transfer between the two domains. */
export type TransferDirection = 'orders_to_evm' | 'evm_to_orders';

/**
 * Who vouches for an action: `raw` and `eip712` are signatures of the account or its agent; `gateway` is the signature of a
 * validator's signer key over an unsigned RPC call, valid only where genesis says `actions: "open"`.
 */
export type SignatureKind = 'raw' | 'eip712' | 'gateway';

export interface NativeTransaction {
  readonly chainId: number;
  /** `raw`, `eip712`: a millisecond timestamp unique per signer. `gateway`: a number that grows with each action. */
  readonly nonce: number;
  /** Block time in ms after which the action is not executed; 0 is never. */
  readonly expiresAt: number;
  readonly account: Address;
  readonly payload: ActionPayload;
  readonly signatureKind: SignatureKind;
  /** 65 bytes r | s | yParity. */
  readonly signature: Uint8Array;
}

/** What is signed. */
export type UnsignedNativeTransaction = Omit<NativeTransaction, 'signature'>;

/** A native transaction with what every validator derives from its bytes. */
export interface VerifiedAction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  readonly signer: Address;
  readonly transaction: NativeTransaction;
}

/** An EIP-2718 transaction with what was derived from its bytes: enough for the mempool and for execution. */
export interface VerifiedTransaction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  readonly type: number;
  readonly sender: Address;
  readonly nonce: number;
  readonly gasLimit: bigint;
  /** gasPrice of legacy and 2930 transactions. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly value: bigint;
  readonly to: Address | null;
  /** Accounts whose valid EIP-7702 authorizations it carries; only of type 4. */
  readonly authorities?: readonly Address[];
}

export interface Log {
  readonly address: Address;
  readonly topics: readonly Hash[];
  readonly data: Uint8Array;
}

export interface Receipt {
  readonly transactionHash: Hash;
  readonly transactionIndex: number;
  readonly type: number;
  readonly from: Address;
  readonly to: Address | null;
  readonly status: 0 | 1;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  readonly effectiveGasPrice: bigint;
  readonly contractAddress: Address | null;
  readonly logs: readonly Log[];
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
  /** Return data, or revert data. */
  readonly output: Uint8Array;
}

/** Result of one action, by its place among the block's actions. */
export type ActionResult =
  | { readonly ok: true; readonly value: ActionValue }
  | { readonly ok: false; readonly error: ActionError };

/** An expected refusal: code, words and data of docs/protocol; never an exception. */
export interface ActionError {
  /** SCREAMING_SNAKE, see the clob package's errors. */
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, string | number | null>>;
}

export interface TradeValue {
  readonly tradeId: number;
  readonly price: bigint;
  readonly size: bigint;
  readonly makerOrderId: OrderId;
  readonly takerOrderId: OrderId;
  readonly maker: Address;
  readonly taker: Address;
  /** The taker's side. */
  readonly side: Side;
  readonly fee: bigint;
}

export type OrderStatus = 'open' | 'filled' | 'partially_filled' | 'cancelled' | 'killed';

export type ActionValue =
  | {
      readonly type: 'order';
      readonly orderId: OrderId;
      readonly marketId: MarketId;
      readonly filled: bigint;
      readonly remaining: bigint;
      readonly trades: readonly TradeValue[];
      readonly status: OrderStatus;
    }
  | { readonly type: 'cancel'; readonly orderId: OrderId; readonly remaining: bigint }
  | { readonly type: 'addMarket'; readonly marketId: MarketId }
  | { readonly type: 'deposit'; readonly address: Address; readonly amount: bigint; readonly collateral: bigint }
  /** Ascending. */
  | { readonly type: 'cancelAll'; readonly orderIds: readonly OrderId[] }
  | {
      readonly type: 'setMargin';
      readonly marketId: MarketId | null;
      readonly initialMarginBps: number;
      readonly maintenanceMarginBps: number;
    }
  | ({ readonly type: 'liquidate' } & LiquidationValue)
  /** Of withdraw and enqueueEvmToOrders: the transfer waits in its queue. */
  | ({ readonly type: 'transferQueued' } & TransferValue & { readonly direction: TransferDirection })
  | {
      readonly type: 'dequeued';
      readonly direction: TransferDirection;
      /** In the order of their ids. */
      readonly processed: readonly ProcessedTransfer[];
      /** Transfers of that direction that still wait. */
      readonly pending: number;
    }
  /** Collateral that moved to another account; `collateral` is what the sender has left. */
  | {
      readonly type: 'transfer';
      readonly from: Address;
      readonly to: Address;
      readonly amount: bigint;
      readonly collateral: bigint;
    }
  /** Results of the items, in their order; some may be refusals. */
  | { readonly type: 'batch'; readonly results: readonly ActionResult[] }
  /** Of actions that answer nothing but that they were carried out. */
  | { readonly type: 'done' };

/** How a position of a liquidated account was closed. */
export interface LiquidatedPosition {
  readonly marketId: MarketId;
  /** Before, base units; negative is short. */
  readonly size: bigint;
  /** Base units closed, by trades and by deleveraging. */
  readonly closed: bigint;
  /** Against the book. */
  readonly trades: readonly TradeValue[];
  /** Wei that went to the insurance fund. */
  readonly fee: bigint;
  /** Wei that the insurance fund paid. */
  readonly insurancePaid: bigint;
  readonly adl: readonly Deleverage[];
  /** Base units that are still open; 0 in this version. */
  readonly remaining: bigint;
}

/** A position of somebody else that was closed against the liquidated one. */
export interface Deleverage {
  readonly address: Address;
  /** Base units. */
  readonly size: bigint;
  /** Wei that the closed part was closed for. */
  readonly value: bigint;
}

export interface LiquidationValue {
  readonly address: Address;
  /** In the order in which they were closed. */
  readonly positions: readonly LiquidatedPosition[];
  /** Ascending. */
  readonly cancelledOrders: readonly OrderId[];
  /** Afterwards, wei. */
  readonly collateral: bigint;
  /** Negative collateral that nothing covered, wei. */
  readonly badDebt: bigint;
}

export interface TransferValue {
  readonly transferId: number;
  readonly from: Address;
  readonly to: Address;
  readonly amount: bigint;
}

export interface ProcessedTransfer extends TransferValue {
  readonly status: 'completed' | 'failed';
  /** Why it failed; null when it did not. */
  readonly reason: string | null;
}

/** A domain event in working form; field lists by kind stand in events.ts. */
export interface DomainEvent {
  readonly domain: 'orders' | 'bridge' | 'validators';
  readonly kind: string;
  /** Index of the action in the block that caused it; null for what the block itself does, or a contract. */
  readonly actionIndex: number | null;
  /** The contract's write that caused it; only there when one did. */
  readonly contract?: ContractOrigin;
  readonly data: Readonly<Record<string, string | number | bigint | null>>;
}

/** One key of the order book domain's state. A null value removes the key. Keys and values: clobRecords.ts. */
export interface RecordWrite {
  readonly key: Uint8Array;
  readonly value: Uint8Array | null;
}

/** An account whose balance, nonce or code changed in a block. */
export interface AccountChange {
  readonly address: Address;
  readonly nonce: number;
  readonly balance: bigint;
}

/**
 * What a committed block changed. The execution thread publishes it after the block is durable; the gateway keeps its
 * read models with it, consensus its mempool.
 */
export interface BlockDelta {
  readonly block: Block;
  readonly hash: Hash;
  readonly certificate: CommitCertificate;
  /** Roots of this block's own post-state. */
  readonly roots: ExecutionRoots;
  readonly transactionHashes: readonly Hash[];
  readonly actionHashes: readonly Hash[];
  readonly receipts: readonly Receipt[];
  readonly actionResults: readonly ActionResult[];
  readonly events: readonly DomainEvent[];
  readonly accounts: readonly AccountChange[];
  readonly clobRecords: readonly RecordWrite[];
  /** Base fee of the next block. */
  readonly nextBaseFee: bigint;
}
