import type { SimulatedCall } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import type { CallRequest } from '@prime/rpc';
import { serializeTransaction, zeroHash } from 'viem';

/** What each transaction of the fake node takes, gas. */
export const gasPerTransaction = 21_000n;

/** How a simulated call of this value ends: null for well; above 9 wei without gas, above 99 reverted. */
export function simulatedFailure(value: bigint): SimulatedCall['failure'] {
  if (value <= 9n) return null;
  return value > 99n
    ? { words: 'execution reverted: no', revertData: Uint8Array.of(2) }
    : { words: 'out of gas', revertData: null };
}

/** As the EVM encodes a simulated call: without a signature. */
export function simulatedTransaction(
  { to, value, data, gasPrice, accessList }: CallRequest,
  nonce: number,
): Uint8Array {
  const fields = { chainId: 7919, nonce, gas: gasPerTransaction, ...(to === null ? {} : { to }), value, data };
  const signature = { r: zeroHash, s: zeroHash, yParity: 0 };
  const typed =
    gasPrice === null
      ? serializeTransaction({ type: 'eip1559', ...fields, accessList: accessList ?? [] } as never, signature)
      : serializeTransaction({ type: 'legacy', ...fields, gasPrice } as never, { ...signature, v: 27n });
  return hexToBytes(typed);
}
