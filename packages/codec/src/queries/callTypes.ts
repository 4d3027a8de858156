import type { Address, Hash, Height, Hex, TimestampMs } from '@prime/primitives';
import type { AccessListEntry, SignedAuthorization } from '../transactions/transactionFields.ts';

/** Execution that changes nothing: what it is asked for, what it may assume, and how it ends. */

/**
 * A message without a signature, as eth_call takes it.
 *
 * `Bytes` is what byte strings are: hex where they come from JSON.
 */
export interface CallMessage<Bytes extends Uint8Array | Hex = Uint8Array> {
  /** null is the zero address. */
  readonly from: Address | null;
  /** null creates a contract. */
  readonly to: Address | null;
  /** null is as much as whoever executes it allows. */
  readonly gas: bigint | null;
  /** Legacy price, wei per gas; excludes the two fees. */
  readonly gasPrice: bigint | null;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly value: bigint;
  readonly data: Bytes;
  /** At most 64 bits; null is the sender's next one. Only simulations look at it. */
  readonly nonce: bigint | null;
  readonly accessList: readonly AccessListEntry[] | null;
  /** EIP-7702; empty for a message that is no set-code transaction. */
  readonly authorizationList: readonly SignedAuthorization[];
  /** State to assume instead of the stored one, account by account in this order. */
  readonly stateOverrides: readonly AccountOverride[];
  readonly blockOverrides: BlockOverrides;
}

/** What a call assumes about one account; null leaves it as it is stored. */
export interface AccountOverride {
  readonly address: Address;
  readonly nonce: bigint | null;
  readonly balance: bigint | null;
  readonly code: Uint8Array | null;
  /** The whole storage; excludes {@link stateDiff}. */
  readonly state: readonly SlotOverride[] | null;
  /** Slots that differ from the stored ones. */
  readonly stateDiff: readonly SlotOverride[] | null;
  /** The precompile at {@link address} answers here instead. */
  readonly movePrecompileTo: Address | null;
}

/** What a storage slot holds for one call: both words have 32 bytes, a value of zeros empties the slot. */
export interface SlotOverride {
  readonly slot: Hash;
  readonly value: Hash;
}

/** What a call assumes about its block; null leaves it as the header says. */
export interface BlockOverrides {
  readonly height: Height | null;
  /** Whole seconds; sub-second parts are not visible to contracts. */
  readonly timestampMs: TimestampMs | null;
  readonly gasLimit: bigint | null;
  readonly feeRecipient: Address | null;
  readonly prevRandao: Hash | null;
  readonly baseFee: bigint | null;
  readonly blobBaseFee: bigint | null;
}

/** Overrides of a call that runs in its block as it is. */
export const noBlockOverrides: BlockOverrides = {
  height: null,
  timestampMs: null,
  gasLimit: null,
  feeRecipient: null,
  prevRandao: null,
  baseFee: null,
  blobBaseFee: null,
};

/** How a message on a fixed state ended. */
export type CallOutcome<Bytes extends Uint8Array | Hex = Uint8Array> =
  | { readonly status: 'success'; readonly output: Bytes; readonly gasUsed: bigint }
  | { readonly status: 'revert'; readonly output: Bytes; readonly gasUsed: bigint }
  | CallFailure;

/** Outcome of a call that failed in another way than by a revert, so that there is no return data. */
export interface CallFailure {
  readonly status: 'failure';
  /** In go-ethereum's words: `out of gas`, `invalid opcode: …`, `insufficient funds …`. */
  readonly message: string;
  readonly gasUsed: bigint;
}
