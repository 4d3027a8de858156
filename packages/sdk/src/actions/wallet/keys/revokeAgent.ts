import type { PrimeClient } from '../../../client.ts';
import type { Address } from '../../../types/primitives.ts';
import type { Inclusion } from '../../../types/results.ts';
import type { ActionResult } from '../../../types/action.ts';
import { splitOptions, type SubmitOptions } from '../options.ts';
import { submitAction } from '../submitAction.ts';

/** Address of the key that is revoked. */
export interface RevokeAgentParameters extends SubmitOptions {
  readonly agent: Address;
}
/** The block from which on the agent's actions are refused. */
export type RevokeAgentReturnType = ActionResult<'revokeAgent'> & Inclusion;

/**
 * Ends an agent for ever: the same key can not be approved again.
 *
 * @throws UnknownAgentError; what `submitAction` throws
 */
export function revokeAgent(client: PrimeClient, parameters: RevokeAgentParameters): Promise<RevokeAgentReturnType> {
  const { options, fields } = splitOptions(parameters);
  return submitAction(client, { ...options, action: { type: 'revokeAgent', ...fields } });
}
