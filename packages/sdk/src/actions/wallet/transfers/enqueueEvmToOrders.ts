import type { PrimeClient } from '../../../client.ts';
import type { Address, Wei } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei of the account's own EVM balance, and who gets them as collateral. */
export interface EnqueueEvmToOrdersParameters extends SubmitOptions {
  readonly amount: Wei;
  /** Account whose collateral they become. */
  readonly to: Address;
}
/** The transfer with its id, which waits from this block on. */
export type EnqueueEvmToOrdersReturnType = ActionResult<'enqueueEvmToOrders'> & Inclusion;

/**
 * Takes wei from the account's EVM balance and queues them as collateral of `to`. `dequeueEvmToOrders` carries it out.
 *
 * @throws InsufficientFundsError, BadRecipientError; what `submitAction` throws
 */
export function enqueueEvmToOrders(
  client: PrimeClient,
  parameters: EnqueueEvmToOrdersParameters,
): Promise<EnqueueEvmToOrdersReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'enqueueEvmToOrders', ...fields } });
}
