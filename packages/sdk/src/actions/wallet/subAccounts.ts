import type { PrimeClient } from '../../client.ts';
import type { ActionResult } from '../../types/action.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Accounts that an owner has beside its own. */

/** Number of the sub-account, 1 to 4294967295, and how the action is signed and sent. */
export interface CreateSubAccountParameters extends SubmitOptions {
  readonly index: number;
}
/** Where the sub-account is. */
export type CreateSubAccountReturnType = ActionResult<'createSubAccount'> & Inclusion;

/**
 * Makes the sub-account of that number: an account with collateral, orders and positions of its own, for which the owner signs by giving its address as
 * `owner` to any other action.
 *
 * @throws SubAccountExistsError, TooManySubAccountsError, SubAccountError for one of a sub-account; what `submitAction` throws
 */
export function createSubAccount(
  client: PrimeClient,
  parameters: CreateSubAccountParameters,
): Promise<CreateSubAccountReturnType> {
  return submitFields(client, 'createSubAccount', parameters);
}
