import type { CallMessage } from '@prime/codec';
import { bigintMin, zeroAddress } from '@prime/primitives';

/** Most gas of a read-only message, as go-ethereum's default has it. */
export const defaultCallGasMax = 50_000_000n;

/** What a call pays per gas, worked out from its fee fields and the base fee; all in wei per gas. */
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
