import type { PrimeClient } from '../../client.ts';
import type { Action, ActionType } from '../../types/action.ts';
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

type ActionOf<type extends ActionType> = Extract<Action, { readonly type: type }>;
/** Of each member of a union on its own, so that what holds between fields goes on holding. */
type FieldsOf<action> = action extends unknown ? Omit<action, 'type'> : never;

/** Submits an action of a type, whose fields stand beside the options. @throws what `submitAction` throws */
export function submitFields<type extends ActionType>(
  client: PrimeClient,
  type: type,
  parameters: FieldsOf<ActionOf<type>> & SubmitOptions,
): Promise<SubmitActionReturnType<ActionOf<type>>> {
  const { account, owner, expiresAtMs, signatureKind, nonceManager, timeoutMs, ...fields }: SubmitOptions = parameters;
  const action = { type, ...fields } as unknown as ActionOf<type>;
  return submitAction(client, { account, owner, expiresAtMs, signatureKind, nonceManager, timeoutMs, action });
}
