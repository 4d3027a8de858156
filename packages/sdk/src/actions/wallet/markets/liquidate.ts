import type { PrimeClient } from '../../../client.ts';
import type { Address } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

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
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'liquidate', ...fields } });
}
