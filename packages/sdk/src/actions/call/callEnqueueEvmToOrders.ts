import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toQuantity } from '../../decode/quantity.ts';
import { decodeQueued } from '../../decode/results.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { QueuedTransfer } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Who pays wei of its EVM balance, and whose collateral they become. */
export interface CallEnqueueEvmToOrdersParameters extends CallOptions {
  readonly from: Address;
  readonly to: Address;
  readonly amount: Wei;
}
/** The transfer with its id, which waits from this block on. */
export type CallEnqueueEvmToOrdersReturnType = QueuedTransfer & { readonly blockNumber: bigint };

/**
 * Queues wei of the EVM as collateral by `primebridge_enqueueEvmToOrders`. `enqueueEvmToOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callEnqueueEvmToOrders(
  client: PrimeClient,
  { from, to, amount, authorization }: CallEnqueueEvmToOrdersParameters,
): Promise<CallEnqueueEvmToOrdersReturnType> {
  const transfer = { from, to, amount: toQuantity(amount) };
  const answer = await callRpc(client, 'primebridge_enqueueEvmToOrders', [
    transfer,
    encodeAuthorization(authorization),
  ]);
  return { ...decodeQueued(answer), blockNumber: toBigint(answer.block_number) };
}
