import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei that are unbonded, and how the action is signed and sent. */
export type UnbondStakeParameters = Omit<Extract<Action, { readonly type: 'validatorUnbond' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type UnbondStakeReturnType = ActionResult<'validatorUnbond'> & Inclusion;

/**
 * Takes stake out; it is returned after the unbonding period.
 *
 * @throws what `submitAction` throws
 */
export function unbondStake(client: PrimeClient, parameters: UnbondStakeParameters): Promise<UnbondStakeReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'validatorUnbond', ...fields } });
}
