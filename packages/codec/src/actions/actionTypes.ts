import type { Address, Hash, MarketId, OrderId } from '@prime/primitives';
import type { ValueOf } from '../encoding/fieldCodecs.ts';
import type { transferDirection, ValidatorEndpoint } from '../encoding/protocolFields.ts';
import type { MarketDecimals } from '../genesis/marketDecimals.ts';
import type { SelfTradeMode, Side, TimeInForce } from './orderWords.ts';

export type { SelfTradeMode, Side, TimeInForce };

/** An order as its owner asks for it. `size` is in base units of the market, and a multiple of its lot. */
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
  | ({
      readonly type: 'addMarket';
      readonly symbol: string;
      readonly tickSize: bigint;
      readonly lotSize: bigint;
    } & MarketDecimals)
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
