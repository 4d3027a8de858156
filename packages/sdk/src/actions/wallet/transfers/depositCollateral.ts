import type { PrimeClient } from '../../../client.ts';
import type { Wei } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei of the account's own EVM balance. */
export interface DepositCollateralParameters extends SubmitOptions {
  readonly amount: Wei;
}
/** The deposit with the collateral after it, and the block. */
export type DepositCollateralReturnType = ActionResult<'deposit'> & Inclusion;

/**
 * Moves wei of the account's EVM balance into its margin collateral.
 *
 * @throws InsufficientFundsError; what `submitAction` throws
 */
export function depositCollateral(
  client: PrimeClient,
  parameters: DepositCollateralParameters,
): Promise<DepositCollateralReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'deposit', ...fields } });
}
