import { refuse } from '@prime/codec';
import { type Address, toQuantity } from '@prime/primitives';

/**
 * Makes every refusal of a validator action, with its words and data; amounts in the data are wei as hex. A refusal is a result,
 * never an exception, and changes nothing but the nonce of its signer.
 */
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
    refuse(
      'STAKING_STAKE_TOO_SMALL',
      `a stake of ${toQuantity(stake)} wei is below the least one, ${toQuantity(least)}`,
      {
        stake: toQuantity(stake),
        min_stake: toQuantity(least),
      },
    ),
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
      `a block may change less than 1/3 of the voting power: this would be ${toQuantity(power)} of ${toQuantity(total)}`,
      { power: toQuantity(power), total: toQuantity(total) },
    ),
  notJailed: (address: Address) => refuse('STAKING_NOT_JAILED', `${address} is not jailed`),
  jailed: (address: Address) => refuse('STAKING_JAILED', `${address} is jailed already`),
  stillJailed: (untilMs: number) =>
    refuse('STAKING_STILL_JAILED', `jailed until ${untilMs} ms`, { jailed_until_ms: untilMs }),
} as const;
