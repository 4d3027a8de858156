import type { PrimeClient } from '../../../client.ts';
import type { MarketReference } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Without a market the orders of all markets end. */
export interface CancelAllOrdersParameters extends SubmitOptions {
  readonly market?: MarketReference | undefined;
}
/** Ids of the orders that ended, and the block that ended them. */
export type CancelAllOrdersReturnType = ActionResult<'cancelAll'> & Inclusion;

/**
 * Cancels the open orders of the account in one market, or without it in all.
 *
 * @throws what `submitAction` throws
 */
export function cancelAllOrders(
  client: PrimeClient,
  parameters: CancelAllOrdersParameters = {},
): Promise<CancelAllOrdersReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'cancelAll', ...fields } });
}
