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

/** Scales priorities into the allowed spread and centres them around 0. */
export function rebalance(validators: readonly RankedValidator[]): RankedValidator[] {
  const priorities = validators.map((validator) => validator.proposerPriority);
  const total = validators.reduce((sum, validator) => sum + validator.power, 0n);
  const spread = priorities.reduce(bigintMax) - priorities.reduce(bigintMin);
  const spreadMax = spreadFactor * total;
  const ratio = spread > spreadMax ? ceilDiv(spread, spreadMax) : 1n;
  // Rounds toward zero, as the specification does; bigint division does the same.
  const scaled = priorities.map((priority) => priority / ratio);
  const mean = floorDiv(
    scaled.reduce((sum, priority) => sum + priority, 0n),
    BigInt(validators.length),
  );
  return validators.map((validator, index) => ({ ...validator, proposerPriority: scaled[index]! - mean }));
}

/** Highest priority; among equals the lower address. */
const precedes = (a: RankedValidator, b: RankedValidator): boolean =>
  a.proposerPriority === b.proposerPriority
    ? compareStrings(a.address, b.address) < 0
    : a.proposerPriority > b.proposerPriority;

/** One choice, without balancing first. */
function choose(validators: readonly RankedValidator[]): { proposer: Address; validators: RankedValidator[] } {
  const grown = validators.map((validator) => ({
    ...validator,
    proposerPriority: validator.proposerPriority + validator.power,
  }));
  const chosen = grown.reduce((best, validator) => (precedes(validator, best) ? validator : best));
  const total = validators.reduce((sum, validator) => sum + validator.power, 0n);
  return {
    proposer: chosen.address,
    validators: grown.map((validator) =>
      validator === chosen ? { ...validator, proposerPriority: validator.proposerPriority - total } : validator,
    ),
  };
}

/** Gives proposers of a height round by round; remembers what it computed. */
export interface ProposerSchedule {
  /** @param round >= 0; O(n) for each round beyond the highest asked so far */
  proposer(round: number): Address;
}

export function createProposerSchedule(set: ValidatorSet): ProposerSchedule {
  let current = rebalance(set.validators);
  const proposers: Address[] = [];
  return {
    proposer(round) {
      while (proposers.length <= round) {
        const choice = choose(current);
        proposers.push(choice.proposer);
        current = choice.validators;
      }
      return proposers[round]!;
    },
  };
}

/** The same validators with the priorities of the next height. Apply membership changes to the result. */
export const advanceProposer = (set: ValidatorSet): ValidatorSet => ({
  validators: choose(rebalance(set.validators)).validators,
});
