import type { ActionPayload, ActionResult, TransactionContent } from '@prime/codec';
import type { Address, Hash, Height, Hex } from '@prime/primitives';

/** Numbers of Ethereum transactions: executable now, and behind a gap of nonces. */
export interface PoolStatus {
  readonly pending: number;
  readonly queued: number;
}

/** A transaction that waits, as its sender encoded it. */
export interface PooledTransaction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  /** Of a native transaction its account. */
  readonly sender: Address;
}

/** An EVM transaction that waits. */
export interface WaitingTransaction extends PooledTransaction {
  /** `queued` waits behind a gap of nonces. */
  readonly status: 'pending' | 'queued';
  readonly nonce: number;
}

/** The mempool as clients see it. */
export interface TransactionPool {
  /**
   * Admits an EIP-2718 transaction, or a native one (0x50).
   *
   * @throws PrimeError with go-ethereum's words as its message
   */
  submit(raw: Uint8Array): Promise<Hash>;
  /** The same for one that must not wait behind a gap of nonces. @throws PrimeError `ENGINE_NONCE_GAP` */
  submitReady(raw: Uint8Array): Promise<Hash>;
  /** Next nonce of the account, pooled transactions counted. */
  pendingNonce(address: Address): Promise<number>;
  status(): Promise<PoolStatus>;
  /** A pooled transaction, native ones included. */
  transaction(hash: Hash): Promise<PooledTransaction | null>;
  /**
   * EVM transactions that wait, of one sender or (null) of all; each sender's by nonce ascending.
   *
   * @throws PrimeError `MEMPOOL_CONTENT_TOO_LARGE`
   */
  content(sender: Address | null): Promise<readonly WaitingTransaction[]>;
  /** The EVM transactions that the next block would hold, in order. */
  proposal(): Promise<readonly PooledTransaction[]>;
}

/** The caller's own signature, over the typed data of the action (EIP-712). */
export interface ActionAuthorization {
  /** Milliseconds, unique for the signer. */
  readonly nonce: number;
  /** Block time in ms after which it is not executed; 0 is never. */
  readonly expiresAt: number;
  /** 65 bytes r | s | yParity. */
  readonly signature: Uint8Array;
}

/** An action of the order book or the bridge, and who answers for it. */
export interface ActionRequest {
  readonly account: Address;
  readonly payload: ActionPayload;
  /** null: the node vouches for it, where the network allows that, or signs with the account's key when it holds it. */
  readonly authorization: ActionAuthorization | null;
}

/** An action with its block and what it answered there; a refusal is a result, too. */
export interface ExecutedAction {
  readonly hash: Hash;
  readonly height: Height;
  readonly result: ActionResult;
}

/** The way of actions into blocks, with an answer at the end of it. */
export interface Actions {
  /**
   * Has an action ordered by consensus and answers after the block that executed it is committed.
   *
   * @throws PrimeError `ENGINE_SIGNATURE_REQUIRED`, `ENGINE_ACCOUNT_LOCKED` without an authorization that is needed;
   *         `RPC_ACTION_NOT_EXECUTED` when that took too long: the outcome is unknown
   */
  submit(request: ActionRequest): Promise<ExecutedAction>;
}

/** A transaction that the node is asked to sign; what is null the account service fills in. */
export interface SendRequest extends TransactionContent {
  readonly from: Address;
  readonly data: Hex;
  readonly nonce: number | null;
}

/** Keys that the node holds for its users, on networks for development. */
export interface Accounts {
  /** Accounts that the node holds unlocked. */
  addresses(): Promise<readonly Address[]>;
  /**
   * Signs and submits. Calls for one account are carried out in their order, so parallel ones get consecutive nonces.
   *
   * @throws PrimeError `RPC_UNKNOWN_ACCOUNT`, or what {@link TransactionPool.submit} throws
   */
  send(request: SendRequest): Promise<Hash>;
  /** Signs only. @returns the EIP-2718 encoding @throws PrimeError `RPC_UNKNOWN_ACCOUNT` */
  sign(request: SendRequest): Promise<Hex>;
  /** EIP-191 signature of a message, 65 bytes r | s | v with v 27 or 28. @throws PrimeError `RPC_UNKNOWN_ACCOUNT` */
  signMessage(address: Address, message: Hex): Promise<Hex>;
  /** 65 bytes r | s | v over 32 bytes. @throws RpcError `RPC_UNKNOWN_ACCOUNT` */
  signDigest(address: Address, digest: Hex): Promise<Hex>;
}
