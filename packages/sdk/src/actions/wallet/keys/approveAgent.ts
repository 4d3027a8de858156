import type { PrimeClient } from '../../../client.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { Action, ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** The agent's key, what it may do and until when, and how the approval is signed and sent. */
export type ApproveAgentParameters = Omit<Extract<Action, { readonly type: 'approveAgent' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type ApproveAgentReturnType = ActionResult<'approveAgent'> & Inclusion;

/**
 * Lets another key sign for the account: trade, cancel, liquidate. It never moves money. An approved agent may be approved again with other terms.
 *
 * @throws BadAgentError, AgentRevokedError, TooManyAgentsError; what `submitAction` throws
 */
export function approveAgent(client: PrimeClient, parameters: ApproveAgentParameters): Promise<ApproveAgentReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'approveAgent', ...fields } });
}
