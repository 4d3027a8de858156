import type { PrimeClient } from '../../../client.ts';
import type { Address, Wei } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei of collateral, and the account whose collateral they become. */
export interface TransferCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
  readonly to: Address;
}
/** The transfer, and the block that carried it out. */
export type TransferCollateralReturnType = ActionResult<'transfer'> & Inclusion;

/**
 * Moves collateral to another account, at once.
 *
 * @throws InsufficientCollateralError, WithdrawalsGatedError, BadRecipientError; what `submitAction` throws
 */
export function transferCollateral(
  client: PrimeClient,
  parameters: TransferCollateralParameters,
): Promise<TransferCollateralReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'transfer', ...fields } });
}
