import type { RegisteredValidator, Validator } from '@prime/sdk';

/** How a validator does, in one word. */
export type StandingOf = 'signing' | 'missing' | 'jailed' | 'banned' | 'left' | 'waiting' | null;

interface Registered {
  readonly status: string;
  readonly tombstoned?: boolean;
}

/** @param isUp whether it signs; null while that is not known, or where it is not in the set */
export function standingOf({ status, tombstoned }: Registered, isUp: boolean | null): StandingOf {
  if (tombstoned === true) return 'banned';
  if (status === 'jailed') return 'jailed';
  if (status === 'active') return isUp === null ? null : isUp ? 'signing' : 'missing';
  return status === 'left' ? 'left' : 'waiting';
}

/** A row of the list of validators, in the set or not. */
export interface Member extends Pick<Validator, 'address' | 'moniker' | 'stake' | 'votingPower'> {
  readonly standing: StandingOf;
}

/** Those of the set by power, then those who are not in it. */
export function membersOf(
  validators: readonly Validator[],
  registered: readonly RegisteredValidator[],
  up: (address: string) => boolean | null,
): readonly Member[] {
  const inSet = new Set(validators.map(({ address }) => address));
  const members = validators.map((validator) => ({
    ...validator,
    standing: standingOf(validator, up(validator.address)),
  }));
  const others = registered
    .filter(({ address }) => !inSet.has(address))
    .map((validator) => ({ ...validator, votingPower: 0n, standing: standingOf(validator, null) }));
  const larger = (a: Member, b: Member): number =>
    a.votingPower < b.votingPower ? 1 : a.votingPower > b.votingPower ? -1 : 0;
  return [...members.toSorted(larger), ...others];
}
