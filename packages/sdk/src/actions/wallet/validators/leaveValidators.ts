import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import type { SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** How the action is signed and sent; the validator is the account. */
export type LeaveValidatorsParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type LeaveValidatorsReturnType = ActionResult<'validatorLeave'> & Inclusion;

/**
 * Takes the validator out of the set; all stake is returned after the unbonding period.
 *
 * @throws what `submitAction` throws
 */
export function leaveValidators(
  client: PrimeClient,
  parameters: LeaveValidatorsParameters = {},
): Promise<LeaveValidatorsReturnType> {
  return submitAction(client, { ...parameters, action: { type: 'validatorLeave' } });
}
