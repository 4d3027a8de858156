import type { PrimeClient } from '../../client.ts';
import type { Inclusion } from '../../types/results.ts';
import type { ActionResult } from '../../types/action.ts';
import type { SubmitOptions } from './options.ts';
import { submitAction } from './submitAction.ts';

/** How the action is signed and sent. */
export type SendNoopParameters = SubmitOptions;
/** The block in which the nonce was used. */
export type SendNoopReturnType = ActionResult<'noop'> & Inclusion;

/**
 * Does nothing but use a nonce: whoever waits for its block knows that all earlier blocks are there.
 *
 * @throws what `submitAction` throws
 */
export function sendNoop(client: PrimeClient, parameters: SendNoopParameters = {}): Promise<SendNoopReturnType> {
  return submitAction(client, { ...parameters, action: { type: 'noop' } });
}
