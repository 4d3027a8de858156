import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import type { SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** How the action is signed and sent; the validator is the account. */
export type UnjailValidatorParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type UnjailValidatorReturnType = ActionResult<'validatorUnjail'> & Inclusion;

/**
 * Ends the jail of the validator.
 *
 * @throws what `submitAction` throws
 */
export function unjailValidator(
  client: PrimeClient,
  parameters: UnjailValidatorParameters = {},
): Promise<UnjailValidatorReturnType> {
  return submitAction(client, { ...parameters, action: { type: 'validatorUnjail' } });
}
