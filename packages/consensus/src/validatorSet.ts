import {
  type GenesisValidator,
  powerOfStake,
  type RankedValidator,
  type Validator,
  type ValidatorSet,
} from '@prime/codec';
import { type Address, bytesEqual, compareStrings } from '@prime/primitives';
import { ConsensusError } from './errors.ts';
import { rebalance } from './proposerRotation.ts';
import { signerAddress } from './signerAddress.ts';

const byPowerThenAddress = (a: Validator, b: Validator): number =>
  a.power === b.power ? compareStrings(a.address, b.address) : a.power > b.power ? -1 : 1;

/** Sum of all voting power. */
export const totalPower = (set: { readonly validators: readonly Validator[] }): bigint =>
  set.validators.reduce((sum, validator) => sum + validator.power, 0n);

/** @returns the validator with this owner address, or undefined */
export const findValidator = (set: ValidatorSet, address: Address): RankedValidator | undefined =>
  set.validators.find((validator) => validator.address === address);

/**
 * Brings validators into the order of a set: power descending, then address ascending.
 *
 * @throws ConsensusError `CONSENSUS_EMPTY_VALIDATOR_SET`, `CONSENSUS_DUPLICATE_VALIDATOR`, `CONSENSUS_INVALID_POWER`
 */
export function createValidatorSet(validators: readonly RankedValidator[]): ValidatorSet {
  if (validators.length === 0)
    throw new ConsensusError('a validator set needs at least one validator', { code: 'CONSENSUS_EMPTY_VALIDATOR_SET' });
  const seen = new Set<Address>();
  for (const validator of validators) {
    // A shared signer would let one key vote with the power of two.
    const repeated = seen.has(validator.address) || seen.has(validator.signer);
    if (repeated)
      throw new ConsensusError(`validator ${validator.address} or its signer occurs twice`, {
        code: 'CONSENSUS_DUPLICATE_VALIDATOR',
        validator: validator.address,
      });
    if (validator.power < 1n) throw invalidPower(validator.address, validator.power);
    seen.add(validator.address).add(validator.signer);
  }
  return { validators: [...validators].sort(byPowerThenAddress) };
}

/**
 * The set that decides block 1. Power is the stake in whole units (10^18 wei), at least 1; the signer is the address of the
 * genesis key; all priorities start at 0.
 *
 * @throws ConsensusError `CONSENSUS_EMPTY_VALIDATOR_SET`, `CONSENSUS_DUPLICATE_VALIDATOR`
 * @throws CryptoError `CRYPTO_PUBLIC_KEY_INVALID`
 */
export function validatorsFromGenesis(validators: readonly GenesisValidator[]): ValidatorSet {
  return createValidatorSet(
    validators.map(({ address, publicKey, stake, moniker }) => ({
      address,
      signer: signerAddress(publicKey),
      publicKey,
      stake,
      power: powerOfStake(stake),
      moniker,
      proposerPriority: 0n,
    })),
  );
}

/** A validator that joins or changes; power 0 leaves. */
export type ValidatorChange = Omit<Validator, 'power'> & { readonly power: bigint };

/**
 * Applies joins, changes of power and leaves. Who joins starts 1.125 total powers behind, so that leaving and joining again is
 * never a way to propose sooner; then priorities are scaled and centred.
 *
 * @throws ConsensusError `CONSENSUS_UNKNOWN_VALIDATOR`, `CONSENSUS_DUPLICATE_VALIDATOR`, `CONSENSUS_INVALID_POWER`,
 *   `CONSENSUS_EMPTY_VALIDATOR_SET`
 */
export function updateValidatorSet(set: ValidatorSet, changes: readonly ValidatorChange[]): ValidatorSet {
  if (changes.length === 0) return set;
  const byAddress = new Map(set.validators.map((validator) => [validator.address, validator]));
  const changed = new Set<Address>();
  const leaving = new Set<Address>();
  for (const change of changes) {
    if (change.power < 0n) throw invalidPower(change.address, change.power);
    if (changed.has(change.address))
      throw new ConsensusError(`validator ${change.address} is changed twice`, {
        code: 'CONSENSUS_DUPLICATE_VALIDATOR',
        validator: change.address,
      });
    changed.add(change.address);
    if (change.power > 0n) continue;
    if (!byAddress.has(change.address))
      throw new ConsensusError(`validator ${change.address} leaves but is not in the set`, {
        code: 'CONSENSUS_UNKNOWN_VALIDATOR',
        validator: change.address,
      });
    leaving.add(change.address);
  }
  const staying = changes.filter((change) => change.power > 0n);
  const joined = new Map<Address, bigint>(set.validators.map(({ address, power }) => [address, power]));
  for (const { address, power } of staying) joined.set(address, power);
  // The penalty is taken from the total before anyone leaves, as CometBFT does, so that it does not depend on who leaves.
  const total = [...joined.values()].reduce((sum, power) => sum + power, 0n);
  const penalty = -(total + (total >> 3n));
  for (const change of staying) {
    const proposerPriority = byAddress.get(change.address)?.proposerPriority ?? penalty;
    byAddress.set(change.address, { ...change, proposerPriority });
  }
  for (const address of leaving) byAddress.delete(address);
  return { validators: rebalance(createValidatorSet([...byAddress.values()]).validators) };
}

/**
 * The set after another one, when these are to be its members: who is missing leaves, who is new joins, who has another key,
 * stake or power has it from then on. All others keep their priorities.
 *
 * @throws ConsensusError as {@link updateValidatorSet}
 */
export function followMembers(set: ValidatorSet, members: readonly Validator[]): ValidatorSet {
  const wanted = new Set(members.map(({ address }) => address));
  const leaving = set.validators.filter(({ address }) => !wanted.has(address));
  const changed = members.filter((member) => {
    const known = findValidator(set, member.address);
    return known === undefined || !isAlike(known, member);
  });
  // One by one: a member may be described by more than a validator is.
  const joining = changed.map(({ address, signer, publicKey, stake, power, moniker }) => ({
    address,
    signer,
    publicKey,
    stake,
    power,
    moniker,
  }));
  return updateValidatorSet(set, [...joining, ...leaving.map((validator) => ({ ...validator, power: 0n }))]);
}

const isAlike = (a: Validator, b: Validator): boolean =>
  a.signer === b.signer &&
  a.stake === b.stake &&
  a.power === b.power &&
  a.moniker === b.moniker &&
  bytesEqual(a.publicKey, b.publicKey);

const invalidPower = (validator: Address, power: bigint): ConsensusError =>
  new ConsensusError(`power of ${validator} must be positive, got ${power}`, {
    code: 'CONSENSUS_INVALID_POWER',
    validator,
    power: power.toString(),
  });
