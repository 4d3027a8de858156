import { isSkipQuorum, type StakedValidator } from '@prime/codec';
import type { TimestampMs } from '@prime/primitives';
import { type Draft, withSigner } from './draft.ts';
import { votingPower } from './state.ts';

/** Block time that never comes: of who signed two messages at one place. */
export const foreverMs = Number.MAX_SAFE_INTEGER as TimestampMs;

/**
 * Whether a validator may be jailed by the block itself now.
 *
 * A mistake that hits many at once (a bad release, a cut cable) must not end the network: enough validators remain, less than 1/3 of
 * the power changes in a block, and at most 1/3 is jailed in one downtime window.
 */
export function mayJail(draft: Draft, validator: StakedValidator): boolean {
  const power = votingPower(validator);
  const { totalPower, jailedPower } = jailingNow(draft);
  return (
    draft.activeCount > draft.params.minValidators &&
    draft.hasRoomFor(power) &&
    !isSkipQuorum(jailedPower + power, totalPower)
  );
}

/** Takes an active validator out of the set, as a punishment. */
export function jail(draft: Draft, validator: StakedValidator, untilMs: TimestampMs): void {
  const jailing = jailingNow(draft);
  const jailedPower = jailing.jailedPower + votingPower(validator);
  draft.clock = { ...draft.clock, jailing: { ...jailing, jailedPower } };
  takeOut(draft, validator, untilMs);
}

/** Takes an active validator out of the set. */
export function takeOut(draft: Draft, validator: StakedValidator, untilMs: TimestampMs): void {
  const jailed = withSigner({ ...validator, status: 'jailed', jailedUntilMs: untilMs, missed: [] }, null, draft.height);
  draft.put(jailed);
  draft.emit('jailed', jailed);
}

function jailingNow(draft: Draft): Draft['clock']['jailing'] {
  const window = Math.floor(draft.timestampMs / draft.params.downtimeWindowMs);
  const { jailing } = draft.clock;
  return jailing.window === window ? jailing : { window, totalPower: draft.totalPower, jailedPower: 0n };
}

/** Takes a part of a validator's stake, in basis points, rounded down. */
export function slash(draft: Draft, validator: StakedValidator, bps: number, andUnbonding: boolean): StakedValidator {
  const part = (amount: bigint): bigint => (amount * BigInt(bps)) / 10_000n;
  let taken = part(validator.stake);
  const slashed = { ...validator, stake: validator.stake - taken };
  if (andUnbonding)
    draft.unbondings = draft.unbondings.map((unbonding) => {
      if (unbonding.owner !== validator.address) return unbonding;
      const loss = part(unbonding.amount);
      taken += loss;
      return { ...unbonding, amount: unbonding.amount - loss };
    });
  draft.put(slashed);
  if (taken > 0n) draft.payouts.push({ to: draft.params.slashedTo, amount: taken });
  draft.emit('slashed', slashed);
  return slashed;
}
