import type { PrimeClient } from '../../../client.ts';
import type { Hex, MarketReference } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** The order by its market and the id that its owner gave it. */
export interface CancelOrderByClientIdParameters extends SubmitOptions {
  readonly market: MarketReference;
  /** 16 bytes. */
  readonly clientId: Hex;
}
/** What was left of the order, and the block that ended it. */
export type CancelOrderByClientIdReturnType = ActionResult<'cancelByClientId'> & Inclusion;

/**
 * Takes an open order out of the book by the owner's name for it. One that comes to rest later in the same block is taken out, too.
 *
 * @throws UnknownClientIdError; what `submitAction` throws
 */
export function cancelOrderByClientId(
  client: PrimeClient,
  parameters: CancelOrderByClientIdParameters,
): Promise<CancelOrderByClientIdReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'cancelByClientId', ...fields } });
}
