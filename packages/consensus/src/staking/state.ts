import { powerOfStake, type RegisteredValidator, type StakedValidator, type StakingRecords } from '@prime/codec';
import { compareStrings } from '@prime/primitives';
import { signerAddress } from '../signerAddress.ts';

/**
 * The staking state: who may decide blocks, with what stake, and what they answer for.
 *
 * A value that is never changed: a block makes a new one that shares what did not change, so that a proposal that is given up
 * leaves no trace and what changed is told by comparing references.
 */
export type StakingState = StakingRecords;

/** In the order of their addresses: the order in which everything is done that is done to all. */
export const validatorsInOrder = (state: Pick<StakingState, 'validators'>): StakedValidator[] =>
  [...state.validators.values()].sort((a, b) => compareStrings(a.address, b.address));

/** The key that a validator signs with at a height; null when it is not in that set, or that is too long ago to be known. */
export function signerAt(validator: StakedValidator, height: number): Uint8Array | null {
  const period = validator.periods.findLast(({ fromHeight }) => fromHeight <= height);
  return period?.publicKey ?? null;
}

/** Weight of a validator in consensus, from its stake in wei; at least 1. */
export const votingPower = ({ stake }: Pick<StakedValidator, 'stake'>): bigint => powerOfStake(stake);

/** Wei that the staking state answers for. */
export function escrowOf({ validators, unbondings }: StakingState): bigint {
  let total = 0n;
  for (const { stake } of validators.values()) total += stake;
  for (const { amount } of unbondings) total += amount;
  return total;
}

/** What others are told of the validators, in the order of their addresses. */
export const registeredValidators = (state: Pick<StakingState, 'validators'>): RegisteredValidator[] =>
  validatorsInOrder(state).map((validator) => ({
    address: validator.address,
    signer: signerAddress(validator.publicKey),
    publicKey: validator.publicKey,
    stake: validator.stake,
    power: votingPower(validator),
    moniker: validator.moniker,
    status: validator.status,
    jailedUntilMs: validator.jailedUntilMs,
    tombstoned: validator.tombstoned,
    endpoint: validator.endpoint,
    oracleKey: validator.oracleKey,
  }));

/** What of a validator {@link registeredValidators} tells, besides its address. */
const toldFields = [
  'publicKey',
  'stake',
  'moniker',
  'status',
  'jailedUntilMs',
  'tombstoned',
  'endpoint',
  'oracleKey',
] as const satisfies readonly (keyof StakedValidator)[];

/**
 * Whether others would be told the same of both states. Blocks that count who did not sign, and most do, change validators and nothing of this.
 *
 * By reference where a field is an object: states share what did not change.
 */
export function isToldAlike(a: Pick<StakingState, 'validators'>, b: Pick<StakingState, 'validators'>): boolean {
  if (a.validators === b.validators) return true;
  if (a.validators.size !== b.validators.size) return false;
  for (const [address, validator] of a.validators) {
    const other = b.validators.get(address);
    if (other === undefined || toldFields.some((field) => validator[field] !== other[field])) return false;
  }
  return true;
}
