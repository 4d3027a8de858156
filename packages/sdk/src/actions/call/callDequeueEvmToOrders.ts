import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint } from '../../decode/quantity.ts';
import { decodeDequeued } from '../../decode/results.ts';
import type { DequeuedTransfers } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Nothing but who authorizes the call. */
export type CallDequeueEvmToOrdersParameters = CallOptions;
/** Transfers that left the queue, how many still wait, and the block. */
export type CallDequeueEvmToOrdersReturnType = DequeuedTransfers & { readonly blockNumber: bigint };

/**
 * Carries out queued transfers to collateral by `primebridge_dequeueEvmToOrders`. `dequeueEvmToOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callDequeueEvmToOrders(
  client: PrimeClient,
  { authorization }: CallDequeueEvmToOrdersParameters = {},
): Promise<CallDequeueEvmToOrdersReturnType> {
  const answer = await callRpc(client, 'primebridge_dequeueEvmToOrders', [encodeAuthorization(authorization)]);
  return { ...decodeDequeued(answer), blockNumber: toBigint(answer.block_number) };
}
