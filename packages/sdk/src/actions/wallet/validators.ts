import type { PrimeClient } from '../../client.ts';
import type { Action, ActionResult } from '../../types/action.ts';
import type { Inclusion } from '../../types/results.ts';
import type { SubmitOptions } from './options.ts';
import { submitFields } from './submitAction.ts';

/** Validators, signed by their owners. */

/** Key, stake and name of the new validator, and how the action is signed and sent. */
export type JoinValidatorsParameters = Omit<Extract<Action, { readonly type: 'validatorJoin' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type JoinValidatorsReturnType = ActionResult<'validatorJoin'> & Inclusion;

/**
 * Registers the account as a validator, jailed until `unjailValidator`. Only the owner itself can sign this.
 *
 * @throws what `submitAction` throws
 */
export function joinValidators(
  client: PrimeClient,
  parameters: JoinValidatorsParameters,
): Promise<JoinValidatorsReturnType> {
  return submitFields(client, 'validatorJoin', parameters);
}

/** How the action is signed and sent; the validator is the account. */
export type LeaveValidatorsParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type LeaveValidatorsReturnType = ActionResult<'validatorLeave'> & Inclusion;

/**
 * Takes the validator out of the set; all stake is returned after the unbonding period.
 *
 * @throws what `submitAction` throws
 */
export function leaveValidators(
  client: PrimeClient,
  parameters: LeaveValidatorsParameters = {},
): Promise<LeaveValidatorsReturnType> {
  return submitFields(client, 'validatorLeave', parameters);
}

/** Wei that are bonded, and how the action is signed and sent. */
export type BondStakeParameters = Omit<Extract<Action, { readonly type: 'validatorBond' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type BondStakeReturnType = ActionResult<'validatorBond'> & Inclusion;

/**
 * Adds to the stake of the validator.
 *
 * @throws what `submitAction` throws
 */
export function bondStake(client: PrimeClient, parameters: BondStakeParameters): Promise<BondStakeReturnType> {
  return submitFields(client, 'validatorBond', parameters);
}

/** Wei that are unbonded, and how the action is signed and sent. */
export type UnbondStakeParameters = Omit<Extract<Action, { readonly type: 'validatorUnbond' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type UnbondStakeReturnType = ActionResult<'validatorUnbond'> & Inclusion;

/**
 * Takes stake out; it is returned after the unbonding period.
 *
 * @throws what `submitAction` throws
 */
export function unbondStake(client: PrimeClient, parameters: UnbondStakeParameters): Promise<UnbondStakeReturnType> {
  return submitFields(client, 'validatorUnbond', parameters);
}

/** How the action is signed and sent; the validator is the account. */
export type JailValidatorParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type JailValidatorReturnType = ActionResult<'validatorJail'> & Inclusion;

/**
 * Takes the validator out of the set until `unjailValidator`: before works on its machine.
 *
 * @throws what `submitAction` throws
 */
export function jailValidator(
  client: PrimeClient,
  parameters: JailValidatorParameters = {},
): Promise<JailValidatorReturnType> {
  return submitFields(client, 'validatorJail', parameters);
}

/** How the action is signed and sent; the validator is the account. */
export type UnjailValidatorParameters = SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type UnjailValidatorReturnType = ActionResult<'validatorUnjail'> & Inclusion;

/**
 * Ends the jail of the validator.
 *
 * @throws what `submitAction` throws
 */
export function unjailValidator(
  client: PrimeClient,
  parameters: UnjailValidatorParameters = {},
): Promise<UnjailValidatorReturnType> {
  return submitFields(client, 'validatorUnjail', parameters);
}

/** The new key with its proof, and how the action is signed and sent. */
export type RotateSignerParameters = Omit<Extract<Action, { readonly type: 'validatorRotateSigner' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type RotateSignerReturnType = ActionResult<'validatorRotateSigner'> & Inclusion;

/**
 * Gives the validator another signing key.
 *
 * @throws what `submitAction` throws
 */
export function rotateSigner(client: PrimeClient, parameters: RotateSignerParameters): Promise<RotateSignerReturnType> {
  return submitFields(client, 'validatorRotateSigner', parameters);
}

/** Where other nodes reach the validator, and how the action is signed and sent. */
export type SetValidatorEndpointParameters = Omit<Extract<Action, { readonly type: 'validatorSetEndpoint' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type SetValidatorEndpointReturnType = ActionResult<'validatorSetEndpoint'> & Inclusion;

/**
 * Says where the node of the validator listens.
 *
 * @throws what `submitAction` throws
 */
export function setValidatorEndpoint(
  client: PrimeClient,
  parameters: SetValidatorEndpointParameters,
): Promise<SetValidatorEndpointReturnType> {
  return submitFields(client, 'validatorSetEndpoint', parameters);
}

/** Who signs price reports, and how the action is signed and sent. */
export type SetOracleKeyParameters = Omit<Extract<Action, { readonly type: 'validatorSetOracleKey' }>, 'type'> &
  SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type SetOracleKeyReturnType = ActionResult<'validatorSetOracleKey'> & Inclusion;

/**
 * Has another key sign the validator's price reports, beside its signing key.
 *
 * @throws what `submitAction` throws
 */
export function setOracleKey(client: PrimeClient, parameters: SetOracleKeyParameters): Promise<SetOracleKeyReturnType> {
  return submitFields(client, 'validatorSetOracleKey', parameters);
}

/** The prices of a validator, and how the action is signed and sent; the validator is the account. */
export type ReportPricesParameters = Omit<Extract<Action, { readonly type: 'oracleReport' }>, 'type'> & SubmitOptions;
/** Nothing but that it was carried out, and in which block. */
export type ReportPricesReturnType = ActionResult<'oracleReport'> & Inclusion;

/**
 * Tells prices that a validator saw outside. They count from the next block on.
 *
 * @throws what `submitAction` throws
 */
export function reportPrices(client: PrimeClient, parameters: ReportPricesParameters): Promise<ReportPricesReturnType> {
  return submitFields(client, 'oracleReport', parameters);
}
