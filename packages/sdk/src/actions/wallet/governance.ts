import type { PrimeClient } from '../../client.ts';
import type { ActionResult } from '../../types/action.ts';
import type { ParameterChange, ProposedChange } from '../../types/parameters.ts';
import type { Hash } from '../../types/primitives.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Changes of parameters: by the admin, or by votes of validators. */

/** The change, when it is made, and how the action is signed and sent. */
export interface ChangeParameterParameters extends SubmitOptions {
  readonly change: ParameterChange;
  /** Height of the block that begins with it; without, it is made at once. */
  readonly atHeight?: number | undefined;
}
/** Nothing but that it was carried out, and in which block. */
export type ChangeParameterReturnType = ActionResult<'change'> & Inclusion;

/**
 * Changes a parameter by the admin's signature.
 *
 * @throws BadChangeError, UnauthorizedError; what `submitAction` throws
 */
export function changeParameter(
  client: PrimeClient,
  parameters: ChangeParameterParameters,
): Promise<ChangeParameterReturnType> {
  return submitFields(client, 'change', parameters);
}

/** The change with its heights, and how the action is signed and sent. */
export interface ProposeChangeParameters extends SubmitOptions, ProposedChange {}
/** Nothing but that it was carried out, and in which block; `getProposals` has its hash. */
export type ProposeChangeReturnType = ActionResult<'propose'> & Inclusion;

/**
 * Puts a change to the vote, by the owner of a validator.
 *
 * @throws NotAValidatorError, BadChangeError, BadProposalError, TooManyProposalsError; what `submitAction` throws
 */
export function proposeChange(
  client: PrimeClient,
  parameters: ProposeChangeParameters,
): Promise<ProposeChangeReturnType> {
  return submitFields(client, 'propose', parameters);
}

/** The proposal, what is said to it, and how the action is signed and sent. */
export interface VoteOnChangeParameters extends SubmitOptions {
  readonly proposal: Hash;
  readonly yes: boolean;
}
/** Nothing but that it was carried out, and in which block. */
export type VoteOnChangeReturnType = ActionResult<'vote'> & Inclusion;

/**
 * Says yes or no to a proposal, by the owner of a validator. It passes with the vote that brings it above two thirds of the power.
 *
 * @throws NotAValidatorError, UnknownProposalError, BadProposalError; what `submitAction` throws
 */
export function voteOnChange(client: PrimeClient, parameters: VoteOnChangeParameters): Promise<VoteOnChangeReturnType> {
  return submitFields(client, 'vote', parameters);
}
