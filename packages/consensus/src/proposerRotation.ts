import type { RankedValidator, ValidatorSet } from '@prime/codec';
import { type Address, bigintMax, bigintMin, ceilDiv, compareStrings, floorDiv } from '@prime/primitives';

/**
 * Weighted round robin, the procedure of CometBFT's spec/consensus/proposer-selection.md: before each choice everyone's
 * priority grows by its power, the highest proposes and pays the total power. Over any total-power many choices each validator
 * proposes as often as its power says.
 *
 * A set carries the priorities from before the first choice of its height. So round r of a height is r + 1 choices from the
 * set of that height, and the next height begins one choice further, however many rounds this one took.
 */

/** Priorities may lie at most this many total powers apart: bounds how long a newcomer waits. */
const spreadFactor = 2n;

/** Priorities in the order of the set, and the sum of all powers. */
interface Priorities {
  readonly values: readonly bigint[];
  readonly total: bigint;
}

/** Scales priorities into the allowed spread and centres them around 0. */
function balanced(validators: readonly RankedValidator[]): Priorities {
  const priorities = validators.map((validator) => validator.proposerPriority);
  const total = validators.reduce((sum, validator) => sum + validator.power, 0n);
  const spread = priorities.reduce(bigintMax) - priorities.reduce(bigintMin);
  const spreadMax = spreadFactor * total;
  const ratio = spread > spreadMax ? ceilDiv(spread, spreadMax) : 1n;
  // Rounds toward zero, as the specification does; bigint division does the same.
  const scaled = ratio === 1n ? priorities : priorities.map((priority) => priority / ratio);
  const mean = floorDiv(
    scaled.reduce((sum, priority) => sum + priority, 0n),
    BigInt(validators.length),
  );
  return { values: mean === 0n ? scaled : scaled.map((priority) => priority - mean), total };
}

const withPriorities = (validators: readonly RankedValidator[], { values }: Priorities): RankedValidator[] =>
  validators.map((validator, index) => ({ ...validator, proposerPriority: values[index]! }));

/** {@link balanced}, as a set's validators. */
export const rebalance = (validators: readonly RankedValidator[]): RankedValidator[] =>
  withPriorities(validators, balanced(validators));

/** One choice, without balancing first: the highest priority; among equals the lower address. */
function choose(
  validators: readonly RankedValidator[],
  { values, total }: Priorities,
): { readonly proposer: Address; readonly next: Priorities } {
  const grown = values.map((priority, index) => priority + validators[index]!.power);
  const precedes = (one: number, other: number): boolean =>
    grown[one] === grown[other]
      ? compareStrings(validators[one]!.address, validators[other]!.address) < 0
      : grown[one]! > grown[other]!;
  let chosen = 0;
  for (let index = 1; index < grown.length; index++) if (precedes(index, chosen)) chosen = index;
  grown[chosen]! -= total;
  return { proposer: validators[chosen]!.address, next: { values: grown, total } };
}

/** Gives proposers of a height round by round; remembers what it computed. */
export interface ProposerSchedule {
  /** @param round >= 0; O(n) for each round beyond the highest asked so far */
  proposer(round: number): Address;
}

/** The proposers of the height that the set is for. Rounds are computed up to the highest one asked for, and kept. */
export function createProposerSchedule(set: ValidatorSet): ProposerSchedule {
  const { validators } = set;
  let current = balanced(validators);
  const proposers: Address[] = [];
  return {
    proposer(round) {
      while (proposers.length <= round) {
        const choice = choose(validators, current);
        proposers.push(choice.proposer);
        current = choice.next;
      }
      return proposers[round]!;
    },
  };
}

/** The same validators with the priorities of the next height. Apply membership changes to the result. */
export const advanceProposer = (set: ValidatorSet): ValidatorSet => ({
  validators: withPriorities(set.validators, choose(set.validators, balanced(set.validators)).next),
});
