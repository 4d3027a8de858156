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

// A class and no literal with a getter: V8 keeps the properties of such a literal in a table, and looks each one up by its name.
class CountedVotes implements VoteSet {
  readonly first = new Map<Address, Vote>();
  readonly byValue = new Map<Hash | null, Map<Address, Vote>>();
  anyPower = 0n;
  private readonly powers = new Map<Hash | null, bigint>();

  powerFor(value: Hash | null): bigint {
    return this.powers.get(value) ?? 0n;
  }

  add(vote: Vote, power: bigint): boolean {
    const voters = this.byValue.get(vote.blockHash) ?? new Map<Address, Vote>();
    if (voters.has(vote.validator)) return false;
    voters.set(vote.validator, vote);
    this.byValue.set(vote.blockHash, voters);
    this.powers.set(vote.blockHash, this.powerFor(vote.blockHash) + power);
    if (!this.first.has(vote.validator)) {
      this.first.set(vote.validator, vote);
      this.anyPower += power;
    }
    return true;
  }

  remove(validator: Address, power: bigint): void {
    if (!this.first.delete(validator)) return;
    this.anyPower -= power;
    for (const [value, voters] of this.byValue) {
      if (!voters.delete(validator)) continue;
      this.powers.set(value, this.powerFor(value) - power);
      if (voters.size === 0) {
        this.byValue.delete(value);
        this.powers.delete(value);
      }
    }
  }
}

/** A set without votes, for one round and one type. */
export const createVoteSet = (): VoteSet => new CountedVotes();
