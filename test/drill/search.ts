import { createPrng, type Prng } from '@prime/primitives';
import type { Stage } from './arena.ts';
import { type Attack, varied } from './attack.ts';
import type { Crowd } from './crowd.ts';
import { families } from './families.ts';
import { type AttackOutcome, runAttack } from './runAttack.ts';

/** Looks for attacks that pay: families with drawn numbers first, then variations of the best. */

/** What is looked for. */
export const goals = ['forced liquidation', 'insurance loss', 'profit', 'blocked withdrawals'] as const;
export type Goal = (typeof goals)[number];

/** An attack and what it came to. */
export interface Found {
  readonly attack: Attack;
  readonly outcome: AttackOutcome;
}

/** The best attack by goal; null where the goal was never reached. */
export type Findings = Readonly<Record<Goal, Found | null>>;

export interface SearchOptions {
  readonly crowd: Crowd;
  readonly stage: Stage;
  /** Accounts of the adversary. */
  readonly accounts: number;
  /** Attacks that are tried. */
  readonly budget: number;
  readonly seed: number;
}

/** How good an attack is; more is better. Where the goal is not reached it tells how near it is. */
function scoreOf(goal: Goal, outcome: AttackOutcome, capital: bigint): number {
  const part = (wei: bigint): number => Number((wei * 1_000_000n) / capital) / 1_000_000;
  switch (goal) {
    case 'forced liquidation': {
      const { forced, closest } = outcome;
      return forced === null ? -100 - Math.max(0, Math.min(100, closest)) : -part(forced.cost) * 10;
    }
    case 'insurance loss':
      return part(outcome.insuranceLoss);
    case 'profit':
      return part(outcome.profit);
    case 'blocked withdrawals':
      return outcome.blocked > 0 ? outcome.blocked : Math.min(0, part(outcome.shortfall) - 10);
  }
}

/** Whether an attack did what is looked for at all. */
function isReached(goal: Goal, { forced, insuranceLoss, profit, blocked }: AttackOutcome): boolean {
  switch (goal) {
    case 'forced liquidation':
      return forced !== null;
    case 'insurance loss':
      return insuranceLoss > 0n;
    case 'profit':
      return profit > 0n;
    case 'blocked withdrawals':
      return blocked > 0;
  }
}

const bestKept = 6;

/** The best of a goal so far, best first. */
class Best {
  readonly goal: Goal;
  readonly entries: { readonly found: Found; readonly score: number }[] = [];

  constructor(goal: Goal) {
    this.goal = goal;
  }

  add(found: Found, capital: bigint): void {
    const score = scoreOf(this.goal, found.outcome, capital);
    const at = this.entries.findIndex((entry) => score > entry.score);
    if (at === -1 && this.entries.length >= bestKept) return;
    this.entries.splice(at === -1 ? this.entries.length : at, 0, { found, score });
    this.entries.length = Math.min(this.entries.length, bestKept);
  }
}

/** The share of a search that draws families; in the rest, one of so many still is. */
const drawnPart = 0.3;
const freshOneOf = 10;

/**
 * Tries as many attacks as its budget allows. The same options find the same.
 *
 * @param tell is called after each attack with how many there were
 */
export function search(
  { crowd, stage, accounts, budget, seed }: SearchOptions,
  tell: (tried: number) => void = () => undefined,
): Findings {
  const random = createPrng(seed);
  const best = goals.map((goal) => new Best(goal));
  for (let tried = 0; tried < budget; tried++) {
    const attack = nextAttack(random, best, { tried, budget, accounts });
    const found = { attack, outcome: runAttack(crowd, stage, attack, { accounts }) };
    for (const one of best) one.add(found, crowd.options.capital);
    tell(tried + 1);
  }
  const findings = best.map(({ goal, entries }) => {
    const [first] = entries;
    return [goal, first !== undefined && isReached(goal, first.found.outcome) ? first.found : null] as const;
  });
  return Object.fromEntries(findings) as unknown as Findings;
}

function nextAttack(
  random: Prng,
  best: readonly Best[],
  { tried, budget, accounts }: { readonly tried: number; readonly budget: number; readonly accounts: number },
): Attack {
  const isDrawn = tried < Math.max(families.length, budget * drawnPart) || random.chance(1, freshOneOf);
  if (isDrawn) return families[tried % families.length]!(random);
  const { entries } = best[tried % best.length]!;
  // The best is drawn most often.
  const { found } = entries[Math.min(random.below(entries.length), random.below(entries.length))]!;
  return varied(random, found.attack, accounts);
}
