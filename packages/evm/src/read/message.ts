import type { SignedAuthorization } from '@prime/codec';
import { type Address, bigintMin, type Hash, type Height, type TimestampMs, zeroAddress } from '@prime/primitives';
import type { BlockEnvironment } from '../ports.ts';

/** A read-only message, as eth_call and eth_estimateGas take it. */
export interface CallMessage {
  /** null is the zero address. */
  readonly from: Address | null;
  /** null creates a contract. */
  readonly to: Address | null;
  /** null is the cap. */
  readonly gas: bigint | null;
  /** Legacy price, wei per gas; excludes the two fees. */
  readonly gasPrice: bigint | null;
  readonly maxFeePerGas: bigint | null;
  readonly maxPriorityFeePerGas: bigint | null;
  readonly value: bigint;
  readonly data: Uint8Array;
  readonly accessList: readonly { readonly address: Address; readonly storageKeys: readonly Hash[] }[] | null;
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

interface SlotOverride {
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

export const noBlockOverrides: BlockOverrides = {
  height: null,
  timestampMs: null,
  gasLimit: null,
  feeRecipient: null,
  prevRandao: null,
  baseFee: null,
  blobBaseFee: null,
};

/** The state after a block, and the header values that code running on it sees. */
export interface ReadContext extends Omit<BlockEnvironment, 'prevRandao'> {
  readonly stateRoot: Hash;
}

/** How a message on a fixed state ended; failures in go-ethereum's words. */
export type CallOutcome =
  | { readonly status: 'success'; readonly output: Uint8Array; readonly gasUsed: bigint }
  | { readonly status: 'revert'; readonly output: Uint8Array; readonly gasUsed: bigint }
  | { readonly status: 'failure'; readonly message: string; readonly gasUsed: bigint };

/** Most gas of a read-only message, as go-ethereum's default has it. */
export const defaultCallGasMax = 50_000_000n;

export interface Fees {
  /** What is paid, wei per gas. */
  readonly price: bigint;
  /** What the sender must be able to pay. */
  readonly cap: bigint;
  /** What BASEFEE shows: 0 for a message that names no fee, so that no price is below it. */
  readonly baseFee: bigint;
}

/** @returns a refusal in go-ethereum's words instead, for fees that contradict each other or are too low */
export function feesOf(message: CallMessage, baseFee: bigint): Fees | { readonly refusal: string } {
  const { gasPrice, maxFeePerGas, maxPriorityFeePerGas } = message;
  if (gasPrice !== null && (maxFeePerGas !== null || maxPriorityFeePerGas !== null))
    return { refusal: 'both gasPrice and (maxFeePerGas or maxPriorityFeePerGas) specified' };
  const cap = gasPrice ?? maxFeePerGas ?? 0n;
  const tip = gasPrice ?? maxPriorityFeePerGas ?? 0n;
  const from = message.from ?? zeroAddress;
  if (cap === 0n && tip === 0n) return { price: 0n, cap: 0n, baseFee: 0n };
  if (tip > cap)
    return {
      refusal: `max priority fee per gas higher than max fee per gas: address ${from}, maxPriorityFeePerGas: ${tip}, maxFeePerGas: ${cap}`,
    };
  if (cap < baseFee)
    return {
      refusal: `max fee per gas less than block base fee: address ${from}, maxFeePerGas: ${cap}, baseFee: ${baseFee}`,
    };
  return { price: bigintMin(cap, baseFee + tip), cap, baseFee };
}
