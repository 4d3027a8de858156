import type { PrimeClient } from '../../client.ts';
import type { Address, Wei } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { ActionResult } from '../../types/action.ts';
import { splitOptions, type SubmitOptions } from './options.ts';
import { submitAction } from './submitAction.ts';

export interface EnqueueEvmToOrdersParameters extends SubmitOptions {
  readonly amount: Wei;
  /** Account whose collateral they become. */
  readonly to: Address;
}
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
