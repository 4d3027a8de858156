import type { PrimeClient } from '../../client.ts';
import type { Inclusion } from '../../types/results.ts';
import type { ActionResult } from '../../types/action.ts';
import type { SubmitOptions } from './options.ts';
import { submitAction } from './submitAction.ts';

export type LockAccountParameters = SubmitOptions;
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
