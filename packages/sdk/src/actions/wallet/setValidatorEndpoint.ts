import type { PrimeClient } from '../../client.ts';
import type { Inclusion } from '../../types/results.ts';
import type { Action, ActionResult } from '../../types/action.ts';
import { splitOptions, type SubmitOptions } from './options.ts';
import { submitAction } from './submitAction.ts';

export type SetValidatorEndpointParameters = Omit<Extract<Action, { readonly type: 'validatorSetEndpoint' }>, 'type'> &
  SubmitOptions;
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
