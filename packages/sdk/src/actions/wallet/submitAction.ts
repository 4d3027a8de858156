import type { PrimeClient } from '../../client.ts';
import type { Action } from '../../types/action.ts';
import { sendAction, type SendActionReturnType } from '../public/sendAction.ts';
import type { SubmitOptions } from './options.ts';
import { nonceManagerOf, signWithNonce } from './signAction.ts';

/** Any action, and how it is signed and sent. */
export interface SubmitActionParameters<action extends Action = Action> extends SubmitOptions {
  readonly action: action;
}
/** What the action answered, its hash, and the block that holds it. */
export type SubmitActionReturnType<action extends Action = Action> = SendActionReturnType<action>;

/**
 * Signs an action, sends it, and waits until a block has carried it out.
 *
 * It is signed once. Where no answer comes the same bytes are sent again, which can not carry it out twice; `sendAction` says why.
 *
 * @throws RefusalError of its kind where the order book refuses
 * @throws RpcAnswerError where no node took it
 * @throws OutcomeUnknownError after the time, with the signed bytes
 * @throws InvalidActionError, BatchSizeError, AccountMissingError before anything is sent
 */
export async function submitAction<const action extends Action>(
  client: PrimeClient,
  parameters: SubmitActionParameters<action>,
): Promise<SubmitActionReturnType<action>> {
  const { nonce, release } = await nonceManagerOf(client, parameters).then((manager) => manager.take());
  try {
    const signed = await signWithNonce(client, parameters, nonce);
    return await sendAction(client, { signed, timeoutMs: parameters.timeoutMs });
  } finally {
    release();
  }
}
