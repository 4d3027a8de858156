import type { VerifiedTransaction } from '@prime/codec';
import { bigintMin } from '@prime/primitives';

/** What the proposer gets per gas. @returns negative when the transaction does not even pay the base fee */
export const effectiveTip = (
  { maxFeePerGas, maxPriorityFeePerGas }: Pick<VerifiedTransaction, 'maxFeePerGas' | 'maxPriorityFeePerGas'>,
  baseFee: bigint,
): bigint => bigintMin(maxPriorityFeePerGas, maxFeePerGas - baseFee);
