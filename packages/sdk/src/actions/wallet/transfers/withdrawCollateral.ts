import type { PrimeClient } from '../../../client.ts';
import type { Address, Wei } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei of the account's free collateral, and who gets them. */
export interface WithdrawCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
  /** EVM account that gets it. */
  readonly to: Address;
}
/** The transfer with its id, which waits from this block on. */
export type WithdrawCollateralReturnType = ActionResult<'withdraw'> & Inclusion;

/**
 * Takes collateral out of the order book and queues it for an EVM account. `dequeueOrdersToEvm` carries it out, where the network does not by itself.
 *
 * @throws InsufficientCollateralError, WithdrawalsGatedError, BadRecipientError; what `submitAction` throws
 */
export function withdrawCollateral(
  client: PrimeClient,
  parameters: WithdrawCollateralParameters,
): Promise<WithdrawCollateralReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'withdraw', ...fields } });
}
