import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Where other nodes reach the validator, and how the action is signed and sent. */
export type SetValidatorEndpointParameters = Omit<Extract<Action, { readonly type: 'validatorSetEndpoint' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type SetValidatorEndpointReturnType = ActionResult<'validatorSetEndpoint'> & Inclusion;

/**
 * Says where the node of the validator listens.
 *
 * @throws what `submitAction` throws
 */
export function setValidatorEndpoint(
  client: PrimeClient,
  parameters: SetValidatorEndpointParameters,
): Promise<SetValidatorEndpointReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'validatorSetEndpoint', ...fields } });
}
