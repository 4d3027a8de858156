import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import type { SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** How the action is signed and sent; the signer locks its own account. */
export type LockAccountParameters = SubmitOptions;
/** The block from which on calls without a signature are refused. */
export type LockAccountReturnType = ActionResult<'lockAccount'> & Inclusion;

/**
 * From now on only signed actions count for the account. The first signed action does the same.
 *
 * @throws what `submitAction` throws
 */
export function lockAccount(
  client: PrimeClient,
  parameters: LockAccountParameters = {},
): Promise<LockAccountReturnType> {
  return submitAction(client, { ...parameters, action: { type: 'lockAccount' } });
}
