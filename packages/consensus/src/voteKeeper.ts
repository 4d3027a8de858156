import type { Evidence, ValidatorSet, Vote, VoteType } from '@prime/codec';
import type { Address, Hash, Height, Round } from '@prime/primitives';
import type { IgnoreReason } from './api.ts';
import type { RuleTable } from './rules.ts';
import { totalPower } from './validatorSet.ts';
import { createVoteSet, type VoteSet } from './voteSet.ts';

/** Rounds after the current one for which every validator's votes are kept. */
export const roundsAheadMax = 2;

/**
 * Counts votes of one height and answers which quorums exist.
 *
 * Memory is bounded: one vote for each validator, type and round, for rounds up to current + {@link roundsAheadMax}, and beyond
 * that only the highest round each validator was seen in. That last slot is what lets a node that is far behind notice that
 * more than 1/3 are in a later round.
 */
export interface VoteKeeper {
  readonly total: bigint;
  /** Counts one verified vote. `ignored` has changed nothing; evidence comes with the first conflict of a validator. */
  add(vote: Vote, currentRound: Round): AddedVote;
  /**
   * Counts votes that together prove a quorum for one value, also of validators that are known to have voted for another
   * value or in rounds that are beyond the bound: a quorum exists only for what happened.
   */
  addQuorum(votes: readonly Vote[]): readonly Evidence[];
  /**
   * True when these votes are alike (type, round, value), of distinct validators, and complete a quorum together with the
   * votes already counted for that value: a relayed certificate may come without what this node has already.
   */
  isQuorumOf(votes: readonly Vote[]): boolean;
  hasQuorum(type: VoteType, round: Round, value: Hash | null): boolean;
  /** More than 2/3 voted in this round, for whatever. */
  hasAnyQuorum(type: VoteType, round: Round): boolean;
  /** More than 2/3 voted in this round, each in whichever step. */
  hasVoterQuorum(round: Round): boolean;
  /** Blocks (not nil) with a quorum in this round. */
  quorumValues(type: VoteType, round: Round): readonly Hash[];
  /** Highest round after this one in which more than 1/3 were seen, or null. */
  skipTarget(currentRound: Round): Round | null;
  /** Votes for a value in the order of the validator set. */
  votesOf(type: VoteType, round: Round, value: Hash | null): readonly Vote[];
  /** All votes of a round: prevotes, then precommits, in arrival order. */
  votesIn(round: Round): readonly Vote[];
  vote(type: VoteType, round: Round, validator: Address): Vote | undefined;
  /** Rounds with votes, ascending. */
  rounds(): readonly Round[];
}

/** `ignored` may still bring evidence: the vote that convicts is not counted. */
export type AddedVote =
  | { readonly kind: 'added' }
  | { readonly kind: 'ignored'; readonly reason: IgnoreReason; readonly evidence: Evidence | null };

interface RoundVotes {
  readonly prevote: VoteSet;
  readonly precommit: VoteSet;
}

/** The height whose votes are kept, who may vote, and what a quorum is. */
export interface VoteKeeperOptions {
  readonly height: Height;
  readonly validatorSet: ValidatorSet;
  readonly rules: Pick<RuleTable, 'isQuorum' | 'isSkipQuorum'>;
}

const noValues: readonly Hash[] = [];

const ignored = (reason: IgnoreReason, evidence: Evidence | null = null): AddedVote => ({
  kind: 'ignored',
  reason,
  evidence,
});

/** A keeper without votes. It trusts that signatures were verified. */
export const createVoteKeeper = (options: VoteKeeperOptions): VoteKeeper => new Keeper(options);

class Keeper implements VoteKeeper {
  readonly total: bigint;
  private readonly options: VoteKeeperOptions;
  private readonly powers: ReadonlyMap<Address, bigint>;
  private readonly byRound = new Map<Round, RoundVotes>();
  /** The one round beyond the bound in which each validator is kept. */
  private readonly farRounds = new Map<Address, Round>();
  private readonly reported = new Set<string>();

  constructor(options: VoteKeeperOptions) {
    this.options = options;
    this.total = totalPower(options.validatorSet);
    this.powers = new Map(options.validatorSet.validators.map(({ address, power }) => [address, power]));
  }

  add(vote: Vote, currentRound: Round): AddedVote {
    if (vote.height !== this.options.height) return ignored('otherHeight');
    if (vote.round < 0) return ignored('malformedRound');
    const power = this.powers.get(vote.validator);
    if (power === undefined) return ignored('unknownValidator');
    const known = this.vote(vote.type, vote.round, vote.validator);
    if (known !== undefined)
      return known.blockHash === vote.blockHash
        ? ignored('duplicate')
        : ignored('equivocation', this.evidenceOf(known, vote));
    if (vote.round > currentRound + roundsAheadMax && !this.takeFarSlot(vote, power, currentRound))
      return ignored('roundTooFar');
    this.openRound(vote.round)[vote.type].add(vote, power);
    return { kind: 'added' };
  }

  addQuorum(quorum: readonly Vote[]): readonly Evidence[] {
    const found: Evidence[] = [];
    for (const vote of quorum) {
      const power = this.powers.get(vote.validator);
      if (power === undefined) continue;
      const set = this.openRound(vote.round)[vote.type];
      const known = set.first.get(vote.validator);
      const evidence = known === undefined || known.blockHash === vote.blockHash ? null : this.evidenceOf(known, vote);
      if (evidence !== null) found.push(evidence);
      set.add(vote, power);
    }
    return found;
  }

  isQuorumOf(votes: readonly Vote[]): boolean {
    const head = votes[0];
    if (head === undefined || head.height !== this.options.height || head.round < 0) return false;
    const counted = this.votes(head.type, head.round)?.byValue.get(head.blockHash);
    const seen = new Set<Address>();
    let power = this.votes(head.type, head.round)?.powerFor(head.blockHash) ?? 0n;
    for (const vote of votes) {
      const isAlike = vote.type === head.type && vote.round === head.round && vote.blockHash === head.blockHash;
      if (!isAlike || vote.height !== head.height || seen.has(vote.validator)) return false;
      seen.add(vote.validator);
      if (counted?.has(vote.validator) !== true) power += this.powers.get(vote.validator) ?? 0n;
    }
    return this.options.rules.isQuorum(power, this.total);
  }

  hasQuorum(type: VoteType, round: Round, value: Hash | null): boolean {
    return this.options.rules.isQuorum(this.votes(type, round)?.powerFor(value) ?? 0n, this.total);
  }

  hasAnyQuorum(type: VoteType, round: Round): boolean {
    return this.options.rules.isQuorum(this.votes(type, round)?.anyPower ?? 0n, this.total);
  }

  hasVoterQuorum(round: Round): boolean {
    const held = this.byRound.get(round);
    return held !== undefined && this.options.rules.isQuorum(this.voterPower(held), this.total);
  }

  quorumValues(type: VoteType, round: Round): readonly Hash[] {
    if (!this.hasAnyQuorum(type, round)) return noValues;
    const values = [...(this.votes(type, round)?.byValue.keys() ?? [])];
    return values.filter((value): value is Hash => value !== null && this.hasQuorum(type, round, value));
  }

  skipTarget(currentRound: Round): Round | null {
    let target: Round | null = null;
    for (const [round, held] of this.byRound) {
      if (round <= currentRound || (target !== null && round < target)) continue;
      if (this.options.rules.isSkipQuorum(this.voterPower(held), this.total)) target = round;
    }
    return target;
  }

  votesOf(type: VoteType, round: Round, value: Hash | null): readonly Vote[] {
    const voters = this.votes(type, round)?.byValue.get(value);
    return this.options.validatorSet.validators.flatMap(({ address }) => voters?.get(address) ?? []);
  }

  votesIn(round: Round): readonly Vote[] {
    const held = this.byRound.get(round);
    return held === undefined ? [] : [...held.prevote.first.values(), ...held.precommit.first.values()];
  }

  vote(type: VoteType, round: Round, validator: Address): Vote | undefined {
    return this.votes(type, round)?.first.get(validator);
  }

  rounds(): readonly Round[] {
    const rounds = [...this.byRound.keys()];
    return rounds.length < 2 ? rounds : rounds.sort((a, b) => a - b);
  }

  private votes(type: VoteType, round: Round): VoteSet | undefined {
    return this.byRound.get(round)?.[type];
  }

  private openRound(round: Round): RoundVotes {
    const open = this.byRound.get(round) ?? { prevote: createVoteSet(), precommit: createVoteSet() };
    this.byRound.set(round, open);
    return open;
  }

  /** Makes room for a vote beyond the bound by forgetting the validator's lower far round; false when it is not higher. */
  private takeFarSlot(vote: Vote, power: bigint, currentRound: Round): boolean {
    const held = this.farRounds.get(vote.validator);
    if (held !== undefined && held > currentRound + roundsAheadMax && held !== vote.round) {
      if (vote.round < held) return false;
      // A quorum is kept: it may be a decision that waits for its block.
      if (!this.hasAnyQuorum('prevote', held) && !this.hasAnyQuorum('precommit', held))
        this.forget(vote.validator, held, power);
    }
    this.farRounds.set(vote.validator, vote.round);
    return true;
  }

  private forget(validator: Address, round: Round, power: bigint): void {
    const held = this.byRound.get(round);
    held?.prevote.remove(validator, power);
    held?.precommit.remove(validator, power);
    if (held !== undefined && held.prevote.first.size + held.precommit.first.size === 0) this.byRound.delete(round);
  }

  /** One piece of evidence for each validator, round and type is enough to convict. */
  private evidenceOf(first: Vote, second: Vote): Evidence | null {
    const key = `${first.validator}/${first.round}/${first.type}`;
    if (this.reported.has(key)) return null;
    this.reported.add(key);
    return { kind: 'duplicateVote', first, second };
  }

  /** Power seen in a round, each validator once whatever it sent. */
  private voterPower({ prevote, precommit }: RoundVotes): bigint {
    let power = prevote.anyPower;
    for (const validator of precommit.first.keys())
      if (!prevote.first.has(validator)) power += this.powers.get(validator) ?? 0n;
    return power;
  }
}
