import type { PrimeClient } from '../../client.ts';
import type { Action, ActionResult } from '../../types/action.ts';
import type { Address } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** What the keys of an account may do. */

/** The agent's key, what it may do and until when, and how the approval is signed and sent. */
export type ApproveAgentParameters = Omit<Extract<Action, { readonly type: 'approveAgent' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type ApproveAgentReturnType = ActionResult<'approveAgent'> & Inclusion;

/**
 * Lets another key sign for the account: trade, cancel, liquidate; with `sub_accounts` for its sub-accounts, too. It never moves money. An approved agent may be approved again with other terms.
 *
 * @throws BadAgentError, AgentRevokedError, TooManyAgentsError; what `submitAction` throws
 */
export function approveAgent(client: PrimeClient, parameters: ApproveAgentParameters): Promise<ApproveAgentReturnType> {
  return submitFields(client, 'approveAgent', parameters);
}

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
  return submitFields(client, 'revokeAgent', parameters);
}

/** How the action is signed and sent; the signer locks its own account. */
export type LockAccountParameters = SubmitOptions;
/** The block from which on calls without a signature are refused. */
export type LockAccountReturnType = ActionResult<'lockAccount'> & Inclusion;

/**
 * From now on only signed actions count for the account. The first signed action does the same.
 *
 * @throws what `submitAction` throws
 */
export function lockAccount(
  client: PrimeClient,
  parameters: LockAccountParameters = {},
): Promise<LockAccountReturnType> {
  return submitFields(client, 'lockAccount', parameters);
}

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
  return submitFields(client, 'noop', parameters);
}
