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
  /** True when distinct known validators with a quorum of power voted in these votes alike (type, round, value). */
  isQuorumOf(votes: readonly Vote[]): boolean;
  hasQuorum(type: VoteType, round: Round, value: Hash | null): boolean;
  /** More than 2/3 voted in this round, for whatever. */
  hasAnyQuorum(type: VoteType, round: Round): boolean;
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

export type AddedVote =
  | { readonly kind: 'added' }
  | { readonly kind: 'ignored'; readonly reason: IgnoreReason; readonly evidence: Evidence | null };

interface RoundVotes {
  readonly prevote: VoteSet;
  readonly precommit: VoteSet;
}

export interface VoteKeeperOptions {
  readonly height: Height;
  readonly validatorSet: ValidatorSet;
  readonly rules: Pick<RuleTable, 'isQuorum' | 'isSkipQuorum'>;
}

const ignored = (reason: IgnoreReason, evidence: Evidence | null = null): AddedVote => ({
  kind: 'ignored',
  reason,
  evidence,
});

export function createVoteKeeper({ height, validatorSet, rules }: VoteKeeperOptions): VoteKeeper {
  const total = totalPower(validatorSet);
  const powers = new Map(validatorSet.validators.map(({ address, power }) => [address, power]));
  const byRound = new Map<Round, RoundVotes>();
  /** The one round beyond the bound in which each validator is kept. */
  const farRounds = new Map<Address, Round>();
  const reported = new Set<string>();
  const votes = (type: VoteType, round: Round): VoteSet | undefined => byRound.get(round)?.[type];

  function openRound(round: Round): RoundVotes {
    const open = byRound.get(round) ?? { prevote: createVoteSet(), precommit: createVoteSet() };
    byRound.set(round, open);
    return open;
  }

  /** One piece of evidence for each validator, round and type is enough to convict. */
  function evidenceOf(first: Vote, second: Vote): Evidence | null {
    const key = `${first.validator}/${first.round}/${first.type}`;
    if (reported.has(key)) return null;
    reported.add(key);
    return { kind: 'duplicateVote', first, second };
  }

  /** Makes room for a vote beyond the bound by forgetting the validator's lower far round; false when it is not higher. */
  function takeFarSlot(vote: Vote, power: bigint, currentRound: Round): boolean {
    const held = farRounds.get(vote.validator);
    if (held !== undefined && held > currentRound + roundsAheadMax && held !== vote.round) {
      if (vote.round < held) return false;
      const left = byRound.get(held);
      left?.prevote.remove(vote.validator, power);
      left?.precommit.remove(vote.validator, power);
      if (left !== undefined && left.prevote.first.size + left.precommit.first.size === 0) byRound.delete(held);
    }
    farRounds.set(vote.validator, vote.round);
    return true;
  }

  function add(vote: Vote, currentRound: Round): AddedVote {
    if (vote.height !== height) return ignored('otherHeight');
    if (vote.round < 0) return ignored('malformedRound');
    const power = powers.get(vote.validator);
    if (power === undefined) return ignored('unknownValidator');
    const known = votes(vote.type, vote.round)?.first.get(vote.validator);
    if (known !== undefined)
      return known.blockHash === vote.blockHash
        ? ignored('duplicate')
        : ignored('equivocation', evidenceOf(known, vote));
    if (vote.round > currentRound + roundsAheadMax && !takeFarSlot(vote, power, currentRound))
      return ignored('roundTooFar');
    openRound(vote.round)[vote.type].add(vote, power);
    return { kind: 'added' };
  }

  function isQuorumOf(candidates: readonly Vote[]): boolean {
    const head = candidates[0];
    if (head === undefined) return false;
    const seen = new Set<Address>();
    let power = 0n;
    for (const vote of candidates) {
      const alike = vote.type === head.type && vote.round === head.round && vote.blockHash === head.blockHash;
      if (!alike || vote.height !== height || vote.round < 0 || seen.has(vote.validator)) return false;
      seen.add(vote.validator);
      power += powers.get(vote.validator) ?? 0n;
    }
    return rules.isQuorum(power, total);
  }

  function addQuorum(quorum: readonly Vote[]): readonly Evidence[] {
    const found: Evidence[] = [];
    for (const vote of quorum) {
      const power = powers.get(vote.validator);
      if (power === undefined) continue;
      const set = openRound(vote.round)[vote.type];
      const known = set.first.get(vote.validator);
      if (known !== undefined && known.blockHash !== vote.blockHash) {
        const evidence = evidenceOf(known, vote);
        if (evidence !== null) found.push(evidence);
      }
      set.add(vote, power);
    }
    return found;
  }

  const hasQuorum = (type: VoteType, round: Round, value: Hash | null): boolean =>
    rules.isQuorum(votes(type, round)?.powerFor(value) ?? 0n, total);

  /** Power seen in a round, each validator once whatever it sent. */
  function voterPower(round: RoundVotes): bigint {
    let power = round.prevote.anyPower;
    for (const validator of round.precommit.first.keys())
      if (!round.prevote.first.has(validator)) power += powers.get(validator)!;
    return power;
  }

  function skipTarget(currentRound: Round): Round | null {
    let target: Round | null = null;
    for (const [round, held] of byRound) {
      if (round <= currentRound || (target !== null && round < target)) continue;
      if (rules.isSkipQuorum(voterPower(held), total)) target = round;
    }
    return target;
  }

  return {
    total,
    add,
    addQuorum,
    isQuorumOf,
    hasQuorum,
    skipTarget,
    hasAnyQuorum: (type, round) => rules.isQuorum(votes(type, round)?.anyPower ?? 0n, total),
    quorumValues(type, round) {
      const values = [...(votes(type, round)?.byValue.keys() ?? [])];
      return values.filter((value): value is Hash => value !== null && hasQuorum(type, round, value));
    },
    votesOf(type, round, value) {
      const voters = votes(type, round)?.byValue.get(value);
      return validatorSet.validators.flatMap(({ address }) => voters?.get(address) ?? []);
    },
    votesIn(round) {
      const held = byRound.get(round);
      return held === undefined ? [] : [...held.prevote.first.values(), ...held.precommit.first.values()];
    },
    vote: (type, round, validator) => votes(type, round)?.first.get(validator),
    rounds: () => [...byRound.keys()].sort((a, b) => a - b),
  };
}
