import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** The new key with its proof, and how the action is signed and sent. */
export type RotateSignerParameters = Omit<Extract<Action, { readonly type: 'validatorRotateSigner' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type RotateSignerReturnType = ActionResult<'validatorRotateSigner'> & Inclusion;

/**
 * Gives the validator another signing key.
 *
 * @throws what `submitAction` throws
 */
export function rotateSigner(client: PrimeClient, parameters: RotateSignerParameters): Promise<RotateSignerReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'validatorRotateSigner', ...fields } });
}
