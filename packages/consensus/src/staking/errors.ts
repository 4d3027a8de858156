import type { ActionError, ActionResult } from '@prime/codec';
import type { Address } from '@prime/primitives';

/**
 * Every refusal of a validator action: code, reason and words. A refusal is a result, never an exception, and changes nothing but the
 * nonce of its signer.
 */
const reasons = {
  STAKING_FIXED_VALIDATORS: 'fixed_validators',
  STAKING_INSUFFICIENT_FUNDS: 'insufficient_funds',
  STAKING_UNKNOWN_VALIDATOR: 'unknown_validator',
  STAKING_ALREADY_REGISTERED: 'already_registered',
  STAKING_TOMBSTONED: 'tombstoned',
  STAKING_STAKE_TOO_SMALL: 'stake_too_small',
  STAKING_BAD_AMOUNT: 'bad_amount',
  STAKING_BAD_MONIKER: 'bad_moniker',
  STAKING_BAD_ENDPOINT: 'bad_endpoint',
  STAKING_BAD_SIGNER: 'bad_signer',
  STAKING_SIGNER_IN_USE: 'signer_in_use',
  STAKING_TOO_MANY_CHANGES: 'too_many_changes',
  STAKING_TOO_MANY_VALIDATORS: 'too_many_validators',
  STAKING_TOO_FEW_VALIDATORS: 'too_few_validators',
  STAKING_TOO_MUCH_POWER: 'too_much_power',
  STAKING_NOT_JAILED: 'not_jailed',
  STAKING_JAILED: 'jailed',
  STAKING_STILL_JAILED: 'still_jailed',
} as const;

type StakingRefusalCode = keyof typeof reasons;

/** All codes, for documentation and tests. */
export const stakingRefusalCodes = Object.keys(reasons) as readonly StakingRefusalCode[];

/** The refusing half of an action's result. */
export type Refused = Extract<ActionResult, { readonly ok: false }>;

const hex = (value: bigint | number): string => `0x${value.toString(16)}`;

function refuse(code: StakingRefusalCode, message: string, data: ActionError['data'] = {}): Refused {
  return { ok: false, error: { code, message, data: { kind: reasons[code], ...data } } };
}

/** Makes each refusal with its words and data; amounts in the data are wei as hex. */
export const stakingRefusal = {
  fixedValidators: () =>
    refuse('STAKING_FIXED_VALIDATORS', 'the validators of this network are those of genesis and never change'),
  insufficientFunds: () => refuse('STAKING_INSUFFICIENT_FUNDS', 'insufficient funds'),
  unknownValidator: (address: Address) => refuse('STAKING_UNKNOWN_VALIDATOR', `${address} is no validator`),
  alreadyRegistered: (address: Address) =>
    refuse('STAKING_ALREADY_REGISTERED', `${address} is registered as a validator already`),
  tombstoned: (address: Address) =>
    refuse('STAKING_TOMBSTONED', `${address} signed two messages at one place and can never be a validator again`),
  stakeTooSmall: (stake: bigint, least: bigint) =>
    refuse('STAKING_STAKE_TOO_SMALL', `a stake of ${hex(stake)} wei is below the least one, ${hex(least)}`, {
      stake: hex(stake),
      min_stake: hex(least),
    }),
  badAmount: () => refuse('STAKING_BAD_AMOUNT', 'amount must be positive'),
  badMoniker: () => refuse('STAKING_BAD_MONIKER', 'moniker must be 1 to 64 bytes of printable text'),
  badEndpoint: () => refuse('STAKING_BAD_ENDPOINT', 'host must be a DNS name or an IP address'),
  badSigner: () => refuse('STAKING_BAD_SIGNER', 'the signer key does not prove that it is to sign for this account'),
  signerInUse: () => refuse('STAKING_SIGNER_IN_USE', 'the signer key is, or was lately, that of a validator'),
  tooManyChanges: (limit: number) =>
    refuse('STAKING_TOO_MANY_CHANGES', `a validator may change at most ${limit} times while evidence is good`, {
      limit,
    }),
  tooManyUnbondings: (limit: number) =>
    refuse('STAKING_TOO_MANY_CHANGES', `at most ${limit} returns of stake may wait at once`, { limit }),
  tooManyValidators: (limit: number) =>
    refuse('STAKING_TOO_MANY_VALIDATORS', `the set has its ${limit} validators already`, { limit }),
  tooManyRegistered: (limit: number) =>
    refuse('STAKING_TOO_MANY_VALIDATORS', `${limit} validators are registered already`, { limit }),
  tooFewValidators: (least: number) =>
    refuse('STAKING_TOO_FEW_VALIDATORS', `fewer than ${least} validators would remain`, { min_validators: least }),
  tooMuchPower: (power: bigint, total: bigint) =>
    refuse(
      'STAKING_TOO_MUCH_POWER',
      `a block may change less than 1/3 of the voting power: this would be ${hex(power)} of ${hex(total)}`,
      { power: hex(power), total: hex(total) },
    ),
  notJailed: (address: Address) => refuse('STAKING_NOT_JAILED', `${address} is not jailed`),
  jailed: (address: Address) => refuse('STAKING_JAILED', `${address} is jailed already`),
  stillJailed: (untilMs: number) =>
    refuse('STAKING_STILL_JAILED', `jailed until ${untilMs} ms`, { jailed_until_ms: untilMs }),
} as const;
