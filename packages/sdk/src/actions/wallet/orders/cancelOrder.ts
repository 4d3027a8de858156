import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** The order by the network's id. */
export interface CancelOrderParameters extends SubmitOptions {
  readonly orderId: number;
}
/** What was left of the order, and the block that ended it. */
export type CancelOrderReturnType = ActionResult<'cancel'> & Inclusion;

/**
 * Takes an open order out of the book.
 *
 * @throws OrderFilledError, OrderCancelledError, UnknownOrderError, NotOwnerError; what `submitAction` throws
 */
export function cancelOrder(client: PrimeClient, parameters: CancelOrderParameters): Promise<CancelOrderReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'cancel', ...fields } });
}
