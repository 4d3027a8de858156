import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** A market or the default, margin in basis points, and how the action is signed and sent. */
export type SetMarginParamsParameters = Omit<Extract<Action, { readonly type: 'setMargin' }>, 'type'> & SubmitOptions;
/** The margin as it is now, and the block that set it. */
export type SetMarginParamsReturnType = ActionResult<'setMargin'> & Inclusion;

/**
 * Sets the margin of one market, or without it that of all markets that have none of their own. Where genesis names an admin, only the admin's own
 * signature counts.
 *
 * @throws BadMarginParamsError, SignerUnauthorizedError; what `submitAction` throws
 */
export function setMarginParams(
  client: PrimeClient,
  parameters: SetMarginParamsParameters,
): Promise<SetMarginParamsReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'setMargin', ...fields } });
}
