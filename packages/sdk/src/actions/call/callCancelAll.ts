import { callRpc, type PrimeClient } from '../../client.ts';
import { toBigint, toNumber } from '../../decode/quantity.ts';
import { marketIdOf } from '../../decode/references.ts';
import type { Address, MarketReference } from '../../types/primitives.ts';
import type { CancelledOrders } from '../../types/results.ts';
import { type CallOptions, encodeAuthorization } from './authorization.ts';

/** Whose orders end, and in which market. */
export interface CallCancelAllParameters extends CallOptions {
  readonly owner: Address;
  /** Without: in all markets. */
  readonly market?: MarketReference | undefined;
}
/** Ids of the orders that ended, and the block that ended them. */
export type CallCancelAllReturnType = CancelledOrders & { readonly blockNumber: bigint };

/**
 * Cancels the open orders of an account by `primeorders_cancelAll`. `cancelAllOrders` signs it.
 *
 * @throws RefusalError of its kind, OutcomeUnknownError, UnauthorizedError
 */
export async function callCancelAll(
  client: PrimeClient,
  { owner, market, authorization }: CallCancelAllParameters,
): Promise<CallCancelAllReturnType> {
  const id = market === undefined ? null : marketIdOf(market);
  const answer = await callRpc(client, 'primeorders_cancelAll', [owner, id, encodeAuthorization(authorization)]);
  return {
    type: 'cancelAll',
    orderIds: answer.cancelled_orders.map(toNumber),
    blockNumber: toBigint(answer.block_number),
  };
}
