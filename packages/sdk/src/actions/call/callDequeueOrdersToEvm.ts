import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint } from '../../decode/quantity.ts';
import { decodeDequeued } from '../../decode/results.ts';
import type { DequeuedTransfers } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Nothing but who authorizes the call. */
export type CallDequeueOrdersToEvmParameters = CallOptions;
/** Transfers that left the queue, how many still wait, and the block. */
export type CallDequeueOrdersToEvmReturnType = DequeuedTransfers & { readonly blockNumber: bigint };

/**
 * Carries out queued transfers to EVM balances by `primebridge_dequeueOrdersToEvm`. `dequeueOrdersToEvm` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDequeueOrdersToEvm(
  client: PrimeClient,
  { authorization }: CallDequeueOrdersToEvmParameters = {},
): Promise<CallDequeueOrdersToEvmReturnType> {
  const answer = await callRpc(client, 'primebridge_dequeueOrdersToEvm', [encodeAuthorization(authorization)]);
  return { ...decodeDequeued(answer), blockNumber: toBigint(answer.block_number) };
}
