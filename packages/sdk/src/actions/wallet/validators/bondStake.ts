import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Wei that are bonded, and how the action is signed and sent. */
export type BondStakeParameters = Omit<Extract<Action, { readonly type: 'validatorBond' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type BondStakeReturnType = ActionResult<'validatorBond'> & Inclusion;

/**
 * Adds to the stake of the validator.
 *
 * @throws what `submitAction` throws
 */
export function bondStake(client: PrimeClient, parameters: BondStakeParameters): Promise<BondStakeReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'validatorBond', ...fields } });
}
