import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toQuantity } from '../../decode/quantity.ts';
import { decodeQueued } from '../../decode/results.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { QueuedTransfer } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Who pays wei of its collateral, and which EVM account gets them. */
export interface CallEnqueueOrdersToEvmParameters extends CallOptions {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}
/** The transfer with its id, which waits from this block on. */
export type CallEnqueueOrdersToEvmReturnType = QueuedTransfer & { readonly blockNumber: bigint };

/**
 * Queues collateral for an EVM account by `primebridge_enqueueOrdersToEvm`. `withdrawCollateral` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callEnqueueOrdersToEvm(
  client: PrimeClient,
  { from, to, amount, authorization }: CallEnqueueOrdersToEvmParameters,
): Promise<CallEnqueueOrdersToEvmReturnType> {
  const transfer = { from, to, amount: toQuantity(amount) };
  const answer = await callRpc(client, 'primebridge_enqueueOrdersToEvm', [
    transfer,
    encodeAuthorization(authorization),
  ]);
  return { ...decodeQueued(answer), blockNumber: toBigint(answer.block_number) };
}
