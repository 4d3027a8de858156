import type { PrimeClient } from '../../client.ts';
import type { Action, ActionResult } from '../../types/action.ts';
import type { Address } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Markets and their margin, signed by an admin or whoever may. */

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
  return submitFields(client, 'addMarket', parameters);
}

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
  return submitFields(client, 'setMargin', parameters);
}

/** The account that is below its maintenance margin. */
export interface LiquidateParameters extends SubmitOptions {
  /** Whose positions. */
  readonly address: Address;
}
/** What was closed and who paid for it, and the block that did it. */
export type LiquidateReturnType = ActionResult<'liquidate'> & Inclusion;

/**
 * Closes positions of an account below its maintenance margin until it is healthy; anyone may.
 *
 * @throws NotLiquidatableError; what `submitAction` throws
 */
export function liquidate(client: PrimeClient, parameters: LiquidateParameters): Promise<LiquidateReturnType> {
  return submitFields(client, 'liquidate', parameters);
}
