import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Fields of the action without its type, and how it is signed and sent. */
export type AddMarketParameters = Omit<Extract<Action, { readonly type: 'addMarket' }>, 'type'> & SubmitOptions;
/** Id of the new market, which orders name it by, and the block that opened it. */
export type AddMarketReturnType = ActionResult<'addMarket'> & Inclusion;

/**
 * Opens a market. Where genesis names an admin, only the admin's own signature counts.
 *
 * @throws MarketExistsError, BadSymbolError, BadGridError, SignerUnauthorizedError; what `submitAction` throws
 */
export function addMarket(client: PrimeClient, parameters: AddMarketParameters): Promise<AddMarketReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'addMarket', ...fields } });
}
