import type { Address, Hash, Height, Hex, TimestampMs } from '@prime/primitives';
import type { Eventual } from './eventual.ts';
import type { SignedAuthorization } from './poolPorts.ts';

export interface AccountState {
  readonly nonce: number;
  readonly balance: bigint;
}

export interface CallRequest {
  readonly from: Address | null;
  /** null creates a contract. */
  readonly to: Address | null;
  readonly gas: bigint | null;
  /** Legacy price; excludes the two fees. */
  readonly gasPrice: bigint | null;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly value: bigint;
  readonly data: Hex;
  /** At most 64 bits. */
  readonly nonce: bigint | null;
  readonly accessList: readonly AccessListEntry[] | null;
  /** EIP-7702; empty for what is no set-code transaction. */
  readonly authorizationList: readonly SignedAuthorization[];
  /** State that the call assumes instead of the stored one. */
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: BlockOverrides;
}

/** What a call assumes about one account; null leaves it as it is stored. */
export interface AccountOverride {
  readonly address: Address;
  readonly nonce: bigint | null;
  readonly balance: bigint | null;
  readonly code: Uint8Array | null;
  /** The whole storage; excludes `stateDiff`. */
  readonly state: readonly SlotOverride[] | null;
  /** Slots that differ from the stored ones. */
  readonly stateDiff: readonly SlotOverride[] | null;
  /** The precompile at `address` answers here instead. */
  readonly movePrecompileTo: Address | null;
}

export interface SlotOverride {
  readonly slot: Hash;
  readonly value: Hash;
}

/** What a call assumes about its block; null leaves it as the header says. */
export interface BlockOverrides {
  readonly height: Height | null;
  readonly timestampMs: TimestampMs | null;
  readonly gasLimit: bigint | null;
  readonly feeRecipient: Address | null;
  readonly prevRandao: Hash | null;
  readonly baseFee: bigint | null;
  readonly blobBaseFee: bigint | null;
}

export interface AccessListEntry {
  readonly address: Address;
  readonly storageKeys: readonly Hash[];
}

/** The state after a block, and the header values that code running on it sees. */
export interface StateContext {
  readonly height: Height;
  readonly stateRoot: Hash;
  readonly timestampMs: TimestampMs;
  readonly proposer: Address;
  readonly gasLimit: bigint;
  readonly baseFee: bigint;
  readonly parentHash: Hash;
}

/** How a call on a fixed state ended. */
export type CallOutcome =
  | { readonly status: 'success'; readonly output: Hex; readonly gasUsed: bigint }
  | { readonly status: 'revert'; readonly output: Hex; readonly gasUsed: bigint }
  /** `message` in go-ethereum's words: `out of gas`, `invalid opcode: …`, `insufficient funds …`. */
  | { readonly status: 'failure'; readonly message: string; readonly gasUsed: bigint };

/** A state by its block's height and its root. */
export type StateRef = Pick<StateContext, 'height' | 'stateRoot'>;

/** An account and storage slots with what proves them under the state root (EIP-1186). */
export interface AccountProof {
  readonly nonce: bigint;
  readonly balance: bigint;
  readonly codeHash: Hash;
  readonly storageRoot: Hash;
  /** Encodings of the trie's nodes from the root down. */
  readonly proof: readonly Hex[];
  /** In the order asked. */
  readonly slots: readonly { readonly slot: Hash; readonly value: bigint; readonly proof: readonly Hex[] }[];
}

/**
 * State after a block that this node keeps.
 *
 * All methods throw PrimeError `RPC_STATE_NOT_KEPT` for an older one.
 */
export interface StateReader {
  account(address: Address, at: StateContext): Eventual<AccountState>;
  code(address: Address, at: StateContext): Promise<Hex>;
  storage(address: Address, slot: Hash, at: StateContext): Promise<Hash>;
  proof(address: Address, slots: readonly Hash[], at: StateRef): Promise<AccountProof>;
  call(request: CallRequest, at: StateContext): Eventual<CallOutcome>;
  /** `success` has the estimate as its gasUsed. */
  estimateGas(request: CallRequest, at: StateContext): Promise<CallOutcome>;
}
