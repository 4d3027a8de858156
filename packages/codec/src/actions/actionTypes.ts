import type { Address, Hash } from '@prime/primitives';
import type { ActionPayload } from './actionPayload.ts';
import type { ValueOf } from '../encoding/fieldCodecs.ts';
import type { transferDirection } from '../encoding/protocolFields.ts';
import type { SelfTradeMode, Side, TimeInForce } from './orderWords.ts';

export type { SelfTradeMode, Side, TimeInForce };

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

/** What a contract asked for through 0x…0100. It has no signature, because the call's transaction has one. */
export interface ContractAction extends ContractOrigin {
  /** Sender of the call. */
  readonly account: Address;
  readonly payload: ContractPayload;
}

/** Way of a transfer between the two domains. */
export type TransferDirection = ValueOf<typeof transferDirection>;

/**
 * Who vouches for an action: `raw` and `eip712` are signatures of the account or its agent; `gateway` is the signature of a
 * validator's signer key over an unsigned RPC call, valid only where genesis says `actions: "open"`.
 */
export type SignatureKind = 'raw' | 'eip712' | 'gateway';

/** A signed action. Encoding and signing digest: docs/protocol/native-transactions.md. */
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

/** What threads that do not carry an action out need to know of what it does, so that they need not decode it. */
export interface ActionFacts {
  readonly type: ActionPayload['type'];
  /**
   * Wei that it takes from the EVM balance of its account before the block's transactions run. A faucet may pay part of a deposit, and nothing is taken when
   * the balance does not suffice.
   */
  readonly debit: bigint;
  /** Accounts that it names: who is paid, liquidated, or may act. */
  readonly names: readonly Address[];
  /** Whether it can only end orders, or make positions smaller. */
  readonly lowersRisk: boolean;
}

/** A native transaction with what every validator derives from its bytes. */
export interface VerifiedAction {
  readonly raw: Uint8Array;
  readonly hash: Hash;
  readonly signer: Address;
  readonly facts: ActionFacts;
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
