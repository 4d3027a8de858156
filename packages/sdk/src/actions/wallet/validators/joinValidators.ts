import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Key, stake and name of the new validator, and how the action is signed and sent. */
export type JoinValidatorsParameters = Omit<Extract<Action, { readonly type: 'validatorJoin' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type JoinValidatorsReturnType = ActionResult<'validatorJoin'> & Inclusion;

/**
 * Registers the account as a validator, jailed until `unjailValidator`. Only the owner itself can sign this.
 *
 * @throws what `submitAction` throws
 */
export function joinValidators(
  client: PrimeClient,
  parameters: JoinValidatorsParameters,
): Promise<JoinValidatorsReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'validatorJoin', ...fields } });
}
