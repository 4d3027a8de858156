import type { Prng } from '@prime/primitives';

/** Attacks as data: what an adversary with several accounts does, block by block. They can be written down, repeated and varied. */

/**
 * What one account does:
 *  - rest, take: an order that rests, or one that takes what it finds and ends;
 *  - close: takes as much as its position is, at up to a tenth from the outside price;
 *  - cancel: all of its orders;
 *  - withdraw: all that it may; transfer: a part of that to another own account;
 *  - liquidate: asks for the liquidation of somebody.
 */
const moveKinds = ['rest', 'take', 'close', 'cancel', 'withdraw', 'transfer', 'liquidate'] as const;
export type MoveKind = (typeof moveKinds)[number];

/** A step of an attack. Each has all fields, so that any can be varied; a kind looks at those that it needs. */
export interface AttackStep {
  /** Blocks between the step before and this one; 0 is the same block. */
  readonly wait: number;
  /** Number of the own account. */
  readonly by: number;
  readonly kind: MoveKind;
  /** 0: the market that is attacked, 1: another one, 2: a new one that nobody trades in. */
  readonly market: number;
  readonly side: 'buy' | 'sell';
  /** Price, as its distance from the outside price, basis points; above −10 000. */
  readonly bps: number;
  /** Of the capital, basis points: notional of an order at the outside price, or part of what may be withdrawn. */
  readonly share: number;
  /** transfer: number of another own account. liquidate: number among all accounts, the own ones first. */
  readonly to: number;
}

/** What an adversary does. */
export interface Attack {
  /** Where it comes from, for people. */
  readonly name: string;
  /** What each account is given of the capital at first, basis points; together at most 10 000. The rest stays outside. */
  readonly split: readonly number[];
  readonly steps: readonly AttackStep[];
}

const usualStep: AttackStep = { wait: 0, by: 0, kind: 'take', market: 0, side: 'buy', bps: 0, share: 1000, to: 1 };

/** Markets that an attack knows: 0 to one less. */
export const marketsOfAttack = 3;
const bpsMost = 20_000;
const bpsLeast = -9_900;
const shareMost = 100_000;
const waitMost = 80;
const stepsMost = 60;

/** Never -0, which JSON can not tell. */
const clamp = (value: number, least: number, most: number): number =>
  Math.min(most, Math.max(least, Math.round(value))) + 0;

/** A step; what is not said is as in a purchase of a tenth of the capital at the outside price. Prices and sizes go as far as they may. */
export function step(kind: MoveKind, fields: Partial<Omit<AttackStep, 'kind'>> = {}): AttackStep {
  const { bps, share, ...rest } = { ...usualStep, ...fields };
  return { ...rest, kind, bps: clamp(bps, bpsLeast, bpsMost), share: clamp(share, 1, shareMost) };
}

/** A number near another one, or anywhere. */
const near = (random: Prng, value: number, least: number, most: number): number => {
  if (random.chance(1, 6)) return least + random.below(most - least + 1);
  const factor = 0.5 + random.below(1001) / 1000;
  return clamp(random.chance(1, 8) ? -value : value * factor + random.below(3) - 1, least, most);
};

function variedStep(random: Prng, old: AttackStep, accounts: number): AttackStep {
  switch (random.below(7)) {
    case 0:
      return { ...old, wait: near(random, old.wait, 0, waitMost) };
    case 1:
      return { ...old, by: random.below(accounts) };
    case 2:
      return { ...old, kind: moveKinds[random.below(moveKinds.length)]! };
    case 3:
      return { ...old, side: old.side === 'buy' ? 'sell' : 'buy', to: random.below(accounts + 8) };
    case 4:
      return { ...old, market: random.below(marketsOfAttack) };
    case 5:
      return { ...old, bps: near(random, old.bps, bpsLeast, bpsMost) };
    default:
      return { ...old, share: near(random, old.share, 1, shareMost) };
  }
}

/** Parts of the capital that are no more than all of it. */
function wholeSplit(split: readonly number[]): readonly number[] {
  const sum = split.reduce((total, part) => total + part, 0);
  return sum <= 10_000 ? split : split.map((part) => Math.floor((part * 10_000) / sum));
}

/** An attack that differs in one to three things. */
export function varied(random: Prng, attack: Attack, accounts: number): Attack {
  const steps = [...attack.steps];
  let { split } = attack;
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const at = random.below(Math.max(1, steps.length));
    const dice = random.below(12);
    if (dice === 0 && steps.length > 1) steps.splice(at, 1);
    else if (dice === 1 && steps.length < stepsMost) steps.splice(at, 0, variedStep(random, usualStep, accounts));
    else if (dice === 2 && steps.length < stepsMost) steps.splice(at, 0, steps[at]!);
    else if (dice === 3) steps.splice(random.below(steps.length), 0, ...steps.splice(at, 1));
    else if (dice === 4)
      split = wholeSplit(split.map((part) => (random.chance(1, 2) ? near(random, part, 0, 10_000) : part)));
    else steps[at] = variedStep(random, steps[at]!, accounts);
  }
  const name = attack.name.endsWith(', varied') ? attack.name : `${attack.name}, varied`;
  return { name, split, steps };
}

/**
 * An attack out of a file.
 *
 * @throws RangeError that says what is no attack in it
 */
export function parseAttack(value: unknown): Attack {
  const { name, split, steps } = (value ?? {}) as Record<string, unknown>;
  const isPart = (part: unknown): boolean => Number.isInteger(part) && (part as number) >= 0;
  if (!Array.isArray(split) || !split.every(isPart) || split.length === 0)
    throw new RangeError('an attack has a split: whole basis points of the capital for each account');
  if (!Array.isArray(steps)) throw new RangeError('an attack has a list of steps');
  const words = typeof name === 'string' ? name : 'of a file';
  return { name: words, split: wholeSplit(split as number[]), steps: steps.map(parseStep) };
}

function parseStep(value: unknown, index: number): AttackStep {
  const fields = { ...usualStep, ...(value as Partial<AttackStep>) };
  const { wait, by, kind, market, side, bps, share, to } = fields;
  const isWhole = (number: number, least: number, most: number): boolean =>
    Number.isInteger(number) && number >= least && number <= most;
  const isGood =
    moveKinds.includes(kind) &&
    (side === 'buy' || side === 'sell') &&
    isWhole(wait, 0, waitMost) &&
    isWhole(by, 0, 99) &&
    isWhole(market, 0, marketsOfAttack - 1) &&
    isWhole(bps, bpsLeast, bpsMost) &&
    isWhole(share, 1, shareMost) &&
    isWhole(to, 0, 999);
  if (isGood) return { wait, by, kind, market, side, bps, share, to };
  throw new RangeError(
    `step ${index + 1} is none: wait 0 to ${waitMost}, by 0 to 99, kind one of ${moveKinds.join(', ')}, market 0 to ${marketsOfAttack - 1}, side buy or sell, ` +
      `bps ${bpsLeast} to ${bpsMost}, share 1 to ${shareMost}, to 0 to 999`,
  );
}
