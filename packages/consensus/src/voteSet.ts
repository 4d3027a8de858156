import type { Vote } from '@prime/codec';
import type { Address, Hash } from '@prime/primitives';

/**
 * Votes of one round and type. A validator's power counts once toward "any", and once toward each value it is counted for:
 * an equivocator's second vote is counted only as part of a proven quorum (see voteKeeper), where refusing it would keep this
 * node from a polka that others hold.
 */
export interface VoteSet {
  /** First vote of each validator, in arrival order. */
  readonly first: ReadonlyMap<Address, Vote>;
  /** Votes for each value, by validator; the key null is nil. */
  readonly byValue: ReadonlyMap<Hash | null, ReadonlyMap<Address, Vote>>;
  readonly anyPower: bigint;
  powerFor(value: Hash | null): bigint;
  /** False when the validator already counts for that value. */
  add(vote: Vote, power: bigint): boolean;
  /** Forgets all votes of a validator. */
  remove(validator: Address, power: bigint): void;
}

export function createVoteSet(): VoteSet {
  const first = new Map<Address, Vote>();
  const byValue = new Map<Hash | null, Map<Address, Vote>>();
  const powers = new Map<Hash | null, bigint>();
  let anyPower = 0n;
  const powerFor = (value: Hash | null): bigint => powers.get(value) ?? 0n;

  return {
    first,
    byValue,
    powerFor,
    get anyPower() {
      return anyPower;
    },
    add(vote, power) {
      const voters = byValue.get(vote.blockHash) ?? new Map<Address, Vote>();
      if (voters.has(vote.validator)) return false;
      voters.set(vote.validator, vote);
      byValue.set(vote.blockHash, voters);
      powers.set(vote.blockHash, powerFor(vote.blockHash) + power);
      if (!first.has(vote.validator)) {
        first.set(vote.validator, vote);
        anyPower += power;
      }
      return true;
    },
    remove(validator, power) {
      if (!first.delete(validator)) return;
      anyPower -= power;
      for (const [value, voters] of byValue) {
        if (!voters.delete(validator)) continue;
        powers.set(value, powerFor(value) - power);
        if (voters.size === 0) {
          byValue.delete(value);
          powers.delete(value);
        }
      }
    },
  };
}
