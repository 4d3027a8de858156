import type { PrimeClient } from '../../../client.ts';
import type { Price, Size } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** The order, and the price and open size that it gets. */
export interface ModifyOrderParameters extends SubmitOptions {
  readonly orderId: number;
  readonly price: Price;
  /** What is to be open afterwards. */
  readonly size: Size;
}
/** The order as it is now, with the id that it may have got, and the block. */
export type ModifyOrderReturnType = ActionResult<'modify'> & Inclusion;

/**
 * Gives an order another price and another open size. Less of it at the same price keeps id and place; anything else is a new order with a new id, and
 * where that is refused the old one stays.
 *
 * @throws the kinds of RefusalError of orders and cancels; what `submitAction` throws
 */
export function modifyOrder(client: PrimeClient, parameters: ModifyOrderParameters): Promise<ModifyOrderReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'modify', ...fields } });
}
