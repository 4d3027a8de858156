import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import type { SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** How the action is signed and sent; the validator is the account. */
export type JailValidatorParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type JailValidatorReturnType = ActionResult<'validatorJail'> & Inclusion;

/**
 * Takes the validator out of the set until `unjailValidator`: before works on its machine.
 *
 * @throws what `submitAction` throws
 */
export function jailValidator(
  client: PrimeClient,
  parameters: JailValidatorParameters = {},
): Promise<JailValidatorReturnType> {
  return submitAction(client, { ...parameters, action: { type: 'validatorJail' } });
}
