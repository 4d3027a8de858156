/** What recipes of phases are made with. */
import type { Prng } from '@prime/primitives';
import type { Fault, Link } from './faults.ts';
import type { Phase } from './manifest.ts';
import { allLinks, limitsOf } from './power.ts';

/** Makes one kind of phase; which nodes and figures it has is drawn. */
export type Recipe = (draw: Draw) => Phase;

/** What recipes draw from. */
export class Draw {
  readonly #prng: Prng;
  readonly validators: number;
  readonly followers: number;
  readonly faultyMax: number;
  readonly quorum: number;

  constructor(prng: Prng, validators: number, followers: number) {
    this.#prng = prng;
    this.validators = validators;
    this.followers = followers;
    ({ faultyMax: this.faultyMax, quorum: this.quorum } = limitsOf(validators));
  }

  /** A whole number of least to most. */
  between(least: number, most: number): number {
    return least + this.#prng.below(most - least + 1);
  }

  oneOf<Value>(values: readonly Value[]): Value {
    return values[this.#prng.below(values.length)]!;
  }

  some(count: number): number[] {
    const all = Array.from({ length: this.validators }, (_, index) => index);
    return shuffled(all, this.#prng).slice(0, count);
  }

  one(): number {
    return this.#prng.below(this.validators);
  }

  others(group: readonly number[]): number[] {
    return Array.from({ length: this.validators }, (_, index) => index).filter((index) => !group.includes(index));
  }

  allFollowers(): number[] {
    return Array.from({ length: this.followers }, (_, index) => this.validators + index);
  }

  /** A follower. There has to be one. */
  follower(): number {
    return this.validators + this.#prng.below(this.followers);
  }

  /** Puts every follower on one side of a partition: as a bridge it would carry blocks across. */
  divided(groups: readonly (readonly number[])[]): number[][] {
    const sides = groups.map((group) => [...group]);
    for (let index = 0; index < this.followers; index++) this.oneOf(sides).push(this.validators + index);
    return sides;
  }

  holdMs(): number {
    return this.between(4_000, 10_000);
  }
}

/** A phase in the words of the manifest; `hold_ms` is how long its faults last before they are healed. */
export const phase = (name: string, promise: Phase['promise'], hold_ms: number, faults: Fault[]): Phase => ({
  name,
  promise,
  hold_ms,
  faults,
});

/** Indexes of validators as the name of a phase shows them. */
export const list = (validators: readonly number[]): string => validators.join(', ');

/** Each pair with its opposite: a rule of a directed link touches one direction only. */
export const bothWays = (pairs: readonly Link[]): Link[] =>
  pairs.flatMap(({ from, to }) => [
    { from, to },
    { from: to, to: from },
  ]);

/** Directed links between validators that begin or end in a group, those within it included. */
export const touching = (group: readonly number[], validators: number): Link[] =>
  allLinks({ validators }).filter(({ from, to }) => group.includes(from) || group.includes(to));

/** A copy in an order that is drawn, each order being as likely (Fisher-Yates). */
export function shuffled<Value>(values: readonly Value[], prng: Prng): Value[] {
  const result = [...values];
  for (let index = result.length - 1; index > 0; index--) {
    const other = prng.below(index + 1);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
