import { KnownRefusalError } from './refusalError.ts';

/** Refusals of the staking state, a class for each kind. */

/** The validators of this network are those of genesis and never change. */
export class FixedValidatorsError extends KnownRefusalError<'fixed_validators'> {
  override name = 'FixedValidatorsError';
}

/** The account is no validator. */
export class UnknownValidatorError extends KnownRefusalError<'unknown_validator'> {
  override name = 'UnknownValidatorError';
}

/** The account is registered as a validator already. */
export class AlreadyRegisteredError extends KnownRefusalError<'already_registered'> {
  override name = 'AlreadyRegisteredError';
}

/** The validator signed two messages at one place and can never come back. */
export class ValidatorTombstonedError extends KnownRefusalError<'tombstoned'> {
  override name = 'ValidatorTombstonedError';
}

/** The stake is below the network's least. */
export class StakeTooSmallError extends KnownRefusalError<'stake_too_small'> {
  override name = 'StakeTooSmallError';
}

/** The moniker is not 1 to 64 bytes of printable text. */
export class BadMonikerError extends KnownRefusalError<'bad_moniker'> {
  override name = 'BadMonikerError';
}

/** The host is neither a DNS name nor an IP address. */
export class BadEndpointError extends KnownRefusalError<'bad_endpoint'> {
  override name = 'BadEndpointError';
}

/** The signer key does not prove that it is to sign for the account. */
export class BadSignerError extends KnownRefusalError<'bad_signer'> {
  override name = 'BadSignerError';
}

/** The signer key is, or was lately, that of a validator. */
export class SignerInUseError extends KnownRefusalError<'signer_in_use'> {
  override name = 'SignerInUseError';
}

/** The validator changed, or takes stake out, as often as it may for now. */
export class TooManyChangesError extends KnownRefusalError<'too_many_changes'> {
  override name = 'TooManyChangesError';
}

/** The set is full. */
export class TooManyValidatorsError extends KnownRefusalError<'too_many_validators'> {
  override name = 'TooManyValidatorsError';
}

/** Fewer validators would remain than the network needs. */
export class TooFewValidatorsError extends KnownRefusalError<'too_few_validators'> {
  override name = 'TooFewValidatorsError';
}

/** A block may change less than a third of the voting power. */
export class TooMuchPowerError extends KnownRefusalError<'too_much_power'> {
  override name = 'TooMuchPowerError';
}

/** The validator is not jailed. */
export class NotJailedError extends KnownRefusalError<'not_jailed'> {
  override name = 'NotJailedError';
}

/** The validator is jailed already. */
export class JailedError extends KnownRefusalError<'jailed'> {
  override name = 'JailedError';
}

/** The validator is jailed until `data.jailedUntilMs`. */
export class StillJailedError extends KnownRefusalError<'still_jailed'> {
  override name = 'StillJailedError';
}
