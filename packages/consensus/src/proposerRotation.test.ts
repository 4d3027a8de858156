import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import type { Validator, ValidatorSet } from '@prime/codec';
import { type Address, parseAddress } from '@prime/primitives';
import fc from 'fast-check';
import {
  advanceProposer,
  ConsensusError,
  createProposerSchedule,
  createValidatorSet,
  followMembers,
  totalPower,
  updateValidatorSet,
  validatorsFromGenesis,
} from './index.ts';
import { rebalance } from './proposerRotation.ts';
import { addressOf, memberOf } from './testing/members.ts';

const setOf = (...powers: bigint[]): ValidatorSet =>
  createValidatorSet(powers.map((power, index) => memberOf(index, power)));

interface GoldenSet {
  readonly name: string;
  /** In any order; integers as decimal strings. */
  readonly validators: readonly { readonly address: string; readonly power: string; readonly priority: string }[];
  /** Index into `validators` of the proposer of each round. */
  readonly proposers: readonly number[];
}
const golden = JSON.parse(
  readFileSync(new URL('../testdata/proposerRotation.json', import.meta.url), 'utf8'),
) as GoldenSet[];

/**
 * The procedure once more, from the text of the specification, on plain parallel arrays and with its own rounding.
 *
 * @returns indices of proposers
 */
function naiveRotation(validators: GoldenSet['validators'], rounds: number): number[] {
  const power = validators.map((entry) => BigInt(entry.power));
  const priority = validators.map((entry) => BigInt(entry.priority));
  let total = 0n;
  for (const one of power) total += one;
  let [low, high] = [priority[0]!, priority[0]!];
  for (const one of priority) {
    if (one < low) low = one;
    if (one > high) high = one;
  }
  if (high - low > 2n * total) {
    let ratio = (high - low) / (2n * total);
    if (ratio * 2n * total < high - low) ratio += 1n;
    for (const index of priority.keys())
      priority[index] = priority[index]! < 0n ? -(-priority[index]! / ratio) : priority[index]! / ratio;
  }
  let sum = 0n;
  for (const one of priority) sum += one;
  const count = BigInt(priority.length);
  let mean = sum / count;
  if (mean * count > sum) mean -= 1n;
  for (const index of priority.keys()) priority[index]! -= mean;
  const chosen: number[] = [];
  for (let round = 0; round < rounds; round++) {
    let best = 0;
    for (const index of priority.keys()) {
      priority[index]! += power[index]!;
      const isHigher = priority[index]! > priority[best]!;
      const isLowerAddress =
        priority[index] === priority[best] && validators[index]!.address < validators[best]!.address;
      if (isHigher || isLowerAddress) best = index;
    }
    priority[best]! -= total;
    chosen.push(best);
  }
  return chosen;
}

describe('proposer rotation', () => {
  it('has vectors of five sets with 1000 rounds each', () => {
    expect(golden.map(({ proposers }) => proposers.length)).toEqual([1000, 1000, 1000, 1000, 1000]);
  });

  it.each(golden.map((set) => [set.name, set] as const))(
    '%s: as in the vectors, and as the naive procedure',
    (_, set) => {
      expect(naiveRotation(set.validators, 1000)).toEqual(set.proposers);
      const schedule = createProposerSchedule(
        createValidatorSet(
          set.validators.map((entry, index) => ({
            ...memberOf(index, BigInt(entry.power), BigInt(entry.priority)),
            address: parseAddress(entry.address),
          })),
        ),
      );
      const chosen = set.proposers.map((_unused, round) => schedule.proposer(round));
      expect(chosen).toEqual(set.proposers.map((index) => set.validators[index]!.address));
    },
  );

  it('everyone proposes as often as the power says, in every stretch of as many rounds as there is power', () => {
    const schedule = createProposerSchedule(setOf(5n, 3n, 1n, 1n));
    for (let from = 0; from < 100; from += 10) {
      const count = new Map<Address, number>();
      for (let round = from; round < from + 10; round++)
        count.set(schedule.proposer(round), (count.get(schedule.proposer(round)) ?? 0) + 1);
      expect([0, 1, 2, 3].map((index) => count.get(addressOf(index)))).toEqual([5, 3, 1, 1]);
    }
  });

  it('the first proposer of the next height is the second of this one, however many rounds this one took', () => {
    let set = setOf(7n, 4n, 2n);
    for (let height = 0; height < 30; height++) {
      const second = createProposerSchedule(set).proposer(1);
      set = advanceProposer(set);
      expect(createProposerSchedule(set).proposer(0)).toBe(second);
    }
  });

  it('asking for rounds out of order gives the same proposers', () => {
    const [forward, backward] = [createProposerSchedule(setOf(3n, 2n, 2n)), createProposerSchedule(setOf(3n, 2n, 2n))];
    const rounds = Array.from({ length: 50 }, (_, round) => round);
    const late = [...rounds].reverse().map((round) => backward.proposer(round));
    expect(late.reverse()).toEqual(rounds.map((round) => forward.proposer(round)));
  });

  it('priorities stay centred and within two total powers, through any changes', () => {
    const change = fc.record({ index: fc.nat(7), power: fc.bigInt({ min: 1n, max: 10n ** 12n }) });
    fc.assert(
      fc.property(fc.array(fc.oneof(change, fc.constant(null)), { maxLength: 60 }), (steps) => {
        let set = setOf(10n, 20n, 30n);
        for (const step of steps) {
          set = step === null ? advanceProposer(set) : updateValidatorSet(set, [memberOf(step.index, step.power)]);
          const priorities = rebalance(set.validators).map(({ proposerPriority }) => proposerPriority);
          const sum = priorities.reduce((total, priority) => total + priority, 0n);
          const spread = priorities.reduce((a, b) => (a > b ? a : b)) - priorities.reduce((a, b) => (a < b ? a : b));
          expect(sum >= 0n && sum < BigInt(priorities.length)).toBe(true);
          expect(spread <= 2n * totalPower(set)).toBe(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('validator sets', () => {
  it('are sorted by power, then by address', () => {
    const set = createValidatorSet([memberOf(2, 5n), memberOf(0, 5n), memberOf(1, 9n)]);
    expect(set.validators.map(({ address }) => address)).toEqual([addressOf(1), addressOf(0), addressOf(2)]);
  });

  it('a newcomer starts 1.125 total powers behind and waits for its turn', () => {
    const before = setOf(10n, 10n);
    const after = updateValidatorSet(before, [memberOf(2, 4n)]);
    // Total 24: priorities 0, 0, -27, which is within 48, centred by -9.
    expect(after.validators.map(({ proposerPriority }) => proposerPriority)).toEqual([9n, 9n, -18n]);
    expect(createProposerSchedule(after).proposer(0)).toBe(addressOf(0));
  });

  it('leaving and joining again does not bring a turn forward', () => {
    const set = advanceProposer(setOf(10n, 10n, 10n));
    const gone = updateValidatorSet(set, [{ ...memberOf(0, 0n), power: 0n }]);
    const back = updateValidatorSet(gone, [memberOf(0, 10n)]);
    const schedule = createProposerSchedule(back);
    expect([0, 1].map((round) => schedule.proposer(round))).not.toContain(addressOf(0));
  });

  it('a change of power keeps the priority', () => {
    const set = advanceProposer(setOf(10n, 10n));
    const changed = updateValidatorSet(set, [memberOf(1, 11n)]);
    expect(changed.validators.map(({ power, proposerPriority }) => [power, proposerPriority])).toEqual([
      [11n, 10n],
      [10n, -10n],
    ]);
  });

  it.each([
    ['no validator', () => createValidatorSet([]), 'CONSENSUS_EMPTY_VALIDATOR_SET'],
    [
      'everyone leaves',
      () => updateValidatorSet(setOf(1n), [{ ...memberOf(0, 0n), power: 0n }]),
      'CONSENSUS_EMPTY_VALIDATOR_SET',
    ],
    ['an address twice', () => createValidatorSet([memberOf(0, 1n), memberOf(0, 2n)]), 'CONSENSUS_DUPLICATE_VALIDATOR'],
    [
      'a signer twice',
      () => createValidatorSet([memberOf(0, 1n), { ...memberOf(1, 1n), signer: memberOf(0, 1n).signer }]),
      'CONSENSUS_DUPLICATE_VALIDATOR',
    ],
    [
      'one validator changed twice',
      () => updateValidatorSet(setOf(1n), [memberOf(0, 2n), memberOf(0, 3n)]),
      'CONSENSUS_DUPLICATE_VALIDATOR',
    ],
    ['no power', () => createValidatorSet([memberOf(0, 0n)]), 'CONSENSUS_INVALID_POWER'],
    ['negative power', () => updateValidatorSet(setOf(1n), [memberOf(0, -1n)]), 'CONSENSUS_INVALID_POWER'],
    [
      'a stranger leaves',
      () => updateValidatorSet(setOf(1n), [{ ...memberOf(5, 0n), power: 0n }]),
      'CONSENSUS_UNKNOWN_VALIDATOR',
    ],
  ])('%s is refused', (_, make, code) => {
    let caught: unknown;
    try {
      make();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(ConsensusError);
    expect((caught as ConsensusError).code).toBe(code);
  });

  it('genesis: power is the stake in whole units and at least 1, the signer comes from the key', () => {
    // The generator of secp256k1, which is the public key of private key 1.
    const publicKey = Uint8Array.from(
      '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'
        .match(/../g)!
        .map((byte) => parseInt(byte, 16)),
    );
    const set = validatorsFromGenesis([
      { address: addressOf(0), publicKey, stake: 5n * 10n ** 18n + 1n, moniker: 'one' },
    ]);
    expect(set.validators[0]).toMatchObject({
      power: 5n,
      signer: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf',
      proposerPriority: 0n,
    });
    expect(
      validatorsFromGenesis([{ address: addressOf(0), publicKey, stake: 1n, moniker: 'small' }]).validators[0]?.power,
    ).toBe(1n);
  });
});

describe('followMembers', () => {
  const members = (...indices: number[]) => indices.map((index): Validator => memberOf(index, 10n));

  it('the same members: the very same set', () => {
    const set = setOf(10n, 10n, 10n, 10n);
    expect(followMembers(set, members(0, 1, 2, 3))).toBe(set);
  });

  it('joins, leaves and changes of power are those of updateValidatorSet', () => {
    const set = advanceProposer(setOf(10n, 10n, 10n, 10n));
    const wanted = [...members(0, 1, 4), { ...members(2)[0]!, power: 7n }];
    const changes = [...members(4), { ...members(2)[0]!, power: 7n }, { ...members(3)[0]!, power: 0n }];
    expect(followMembers(set, wanted)).toEqual(updateValidatorSet(set, changes));
  });

  it('a new key keeps the place in the rotation', () => {
    const set = advanceProposer(setOf(10n, 10n, 10n, 10n));
    const signer = parseAddress(`0x${'ee'.repeat(20)}`);
    const changed = followMembers(set, [...members(0, 1, 2), { ...members(3)[0]!, signer }]);
    expect(changed.validators.find(({ address }) => address === addressOf(3))).toMatchObject({ signer });
    expect(changed.validators.map(({ proposerPriority }) => proposerPriority)).toEqual(
      set.validators.map(({ proposerPriority }) => proposerPriority),
    );
  });
});
