import { describe, expect, it } from '@jest/globals';
import type { Vote, VoteType } from '@prime/codec';
import { type Hash, type Height, parseHash, type Round } from '@prime/primitives';
import fc from 'fast-check';
import { createValidatorSet, createVoteKeeper, roundsAheadMax, tendermintRules, type VoteKeeper } from './index.ts';
import { addressOf, memberOf } from './testing/members.ts';

const height = 3 as Height;
const hashes = ['a', 'b', 'c'].map((digit): Hash => parseHash(`0x${digit.repeat(64)}`));
const [A, B] = hashes as [Hash, Hash];
const at = (round: number): Round => round as Round;

const keeperOf = (powers: readonly bigint[]): VoteKeeper =>
  createVoteKeeper({
    height,
    rules: tendermintRules,
    validatorSet: createValidatorSet(powers.map((power, index) => memberOf(index, power))),
  });

const vote = (type: VoteType, validator: number, round: number, blockHash: Hash | null): Vote => ({
  type,
  height,
  round: at(round),
  blockHash,
  validator: addressOf(validator),
  signature: new Uint8Array(65),
});

describe('vote keeper', () => {
  it('power counts, not heads', () => {
    const keeper = keeperOf([60n, 30n, 10n]);
    keeper.add(vote('prevote', 0, 0, A), at(0));
    expect(keeper.hasQuorum('prevote', at(0), A)).toBe(false);
    keeper.add(vote('prevote', 2, 0, A), at(0));
    expect(keeper.hasQuorum('prevote', at(0), A)).toBe(true);
    expect(keeper.quorumValues('prevote', at(0))).toEqual([A]);
  });

  it('votes for different values are a quorum for none and for any', () => {
    const keeper = keeperOf([1n, 1n, 1n, 1n]);
    for (const [index, value] of [A, B, null].entries()) keeper.add(vote('precommit', index, 0, value), at(0));
    expect([keeper.hasAnyQuorum('precommit', at(0)), keeper.quorumValues('precommit', at(0))]).toEqual([true, []]);
    expect(keeper.hasQuorum('precommit', at(0), null)).toBe(false);
  });

  it('a validator counts once toward skipping, whatever it sent', () => {
    const keeper = keeperOf([1n, 1n, 1n, 1n]);
    keeper.add(vote('prevote', 0, 1, A), at(0));
    keeper.add(vote('precommit', 0, 1, null), at(0));
    expect(keeper.skipTarget(at(0))).toBeNull();
    keeper.add(vote('precommit', 1, 1, null), at(0));
    expect(keeper.skipTarget(at(0))).toBe(1);
    expect(keeper.skipTarget(at(1))).toBeNull();
  });

  it('votes of a certificate are in the order of the set, whatever order they came in', () => {
    const keeper = keeperOf([1n, 5n, 3n]);
    for (const index of [0, 2, 1]) keeper.add(vote('precommit', index, 0, A), at(0));
    expect(keeper.votesOf('precommit', at(0), A).map(({ validator }) => validator)).toEqual([1, 2, 0].map(addressOf));
  });

  it('a quorum in a far round survives its voters moving on', () => {
    const keeper = keeperOf([1n, 1n, 1n, 1n]);
    for (const index of [0, 1, 2]) keeper.add(vote('precommit', index, 9, A), at(0));
    keeper.add(vote('prevote', 0, 10, null), at(0));
    expect(keeper.quorumValues('precommit', at(9))).toEqual([A]);
  });

  it('less than a quorum in a far round is forgotten when its voters move on', () => {
    const keeper = keeperOf([1n, 1n, 1n, 1n]);
    keeper.add(vote('precommit', 0, 9, A), at(0));
    keeper.add(vote('prevote', 0, 12, null), at(0));
    expect([keeper.rounds(), keeper.votesIn(at(9))]).toEqual([[12], []]);
  });
});

describe('any votes in any order', () => {
  const value = fc.option(fc.constantFrom(...hashes));
  const someVote = fc
    .tuple(fc.constantFrom<VoteType>('prevote', 'precommit'), fc.nat(5), fc.nat(3), value)
    .map(([type, validator, round, hash]) => vote(type, validator, round, hash));
  const powers = fc.array(fc.bigInt({ min: 1n, max: 50n }), { minLength: 4, maxLength: 6 });

  it('quorums are those of a naive count of first votes', () => {
    fc.assert(
      fc.property(powers, fc.array(someVote, { maxLength: 60 }), (weights, votes) => {
        const keeper = keeperOf(weights);
        const firsts = new Map<string, Vote>();
        for (const one of votes) {
          const key = `${one.validator}/${one.type}/${one.round}`;
          const isKnown = weights.some((_, index) => addressOf(index) === one.validator);
          const result = keeper.add(one, at(2));
          expect(result.kind).toBe(isKnown && !firsts.has(key) ? 'added' : 'ignored');
          if (isKnown && !firsts.has(key)) firsts.set(key, one);
        }
        const total = weights.reduce((sum, weight) => sum + weight, 0n);
        const power = (matches: (one: Vote) => boolean): bigint =>
          weights.reduce((sum, weight, index) => {
            const votesIt = [...firsts.values()].some((one) => one.validator === addressOf(index) && matches(one));
            return votesIt ? sum + weight : sum;
          }, 0n);
        for (const type of ['prevote', 'precommit'] as const)
          for (let round = 0; round < 4; round++) {
            const isHere = (one: Vote): boolean => one.type === type && one.round === round;
            expect(keeper.hasAnyQuorum(type, at(round))).toBe(3n * power(isHere) > 2n * total);
            for (const hash of [null, ...hashes])
              expect(keeper.hasQuorum(type, at(round), hash)).toBe(
                3n * power((one) => isHere(one) && one.blockHash === hash) > 2n * total,
              );
          }
        for (let round = 0; round < 4; round++)
          expect(keeper.hasVoterQuorum(at(round))).toBe(3n * power((one) => one.round === round) > 2n * total);
        const seen = [3].filter((round) => 3n * power((one) => one.round === round) > total);
        expect(keeper.skipTarget(at(2))).toBe(seen[0] ?? null);
      }),
      { numRuns: 200 },
    );
  });

  it('the order of arrival of one vote each does not matter', () => {
    const ballots = fc.array(value, { minLength: 4, maxLength: 4 });
    fc.assert(
      fc.property(ballots, fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 }), (choices, order) => {
        const [straight, shuffled] = [keeperOf([4n, 3n, 2n, 1n]), keeperOf([4n, 3n, 2n, 1n])];
        for (const index of [0, 1, 2, 3]) straight.add(vote('prevote', index, 0, choices[index] ?? null), at(0));
        for (const index of order) shuffled.add(vote('prevote', index, 0, choices[index] ?? null), at(0));
        for (const hash of [null, ...hashes])
          expect(shuffled.votesOf('prevote', at(0), hash)).toEqual(straight.votesOf('prevote', at(0), hash));
      }),
    );
  });

  it('evidence names two different votes of one validator for one place, once for each place', () => {
    fc.assert(
      fc.property(fc.array(someVote, { maxLength: 80 }), (votes) => {
        const keeper = keeperOf([1n, 1n, 1n, 1n]);
        const places = new Set<string>();
        for (const one of votes) {
          const result = keeper.add(one, at(2));
          if (result.kind === 'added' || result.evidence?.kind !== 'duplicateVote') continue;
          const { first, second } = result.evidence;
          expect(second).toBe(one);
          expect([first.type, first.round, first.height, first.validator]).toEqual([
            one.type,
            one.round,
            one.height,
            one.validator,
          ]);
          expect(first.blockHash).not.toBe(second.blockHash);
          const place = `${one.validator}/${one.type}/${one.round}`;
          expect(places.has(place)).toBe(false);
          places.add(place);
        }
      }),
    );
  });

  it('a flood of votes for other rounds is held within the bound', () => {
    const flood = fc.array(fc.tuple(fc.nat(3), fc.nat(1_000_000)), { maxLength: 300 });
    fc.assert(
      fc.property(flood, (votes) => {
        const keeper = keeperOf([1n, 1n, 1n, 1n]);
        for (const [validator, round] of votes) keeper.add(vote('prevote', validator, round, null), at(0));
        const near = (roundsAheadMax + 1) * 4;
        const held = keeper.rounds().reduce((sum, round) => sum + keeper.votesIn(round).length, 0);
        // One far round each; where a quorum met in one by chance it stays.
        const quorums = keeper.rounds().filter((round) => keeper.hasAnyQuorum('prevote', round)).length;
        expect(held).toBeLessThanOrEqual(near + 4 + quorums * 4);
      }),
      { numRuns: 50 },
    );
  });
});
