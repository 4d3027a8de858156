import { type Findings, type Found, goals, type Goal } from './search.ts';

/** What a drill says: for people, and as JSON. */

/** What the best attacks may reach; null for anything. Wei, and blocks. */
export interface Bounds {
  /** Loss of a victim that was liquidated by force. */
  readonly victimLoss: bigint | null;
  readonly insuranceLoss: bigint | null;
  readonly profit: bigint | null;
  readonly blocked: bigint | null;
}

const ofGoal = {
  'forced liquidation': {
    bound: 'victimLoss',
    flag: '--max-victim-loss',
    valueOf: ({ outcome }) => outcome.forced!.loss,
  },
  'insurance loss': {
    bound: 'insuranceLoss',
    flag: '--max-insurance-loss',
    valueOf: ({ outcome }) => outcome.insuranceLoss,
  },
  profit: { bound: 'profit', flag: '--max-profit', valueOf: ({ outcome }) => outcome.profit },
  'blocked withdrawals': { bound: 'blocked', flag: '--max-blocked', valueOf: ({ outcome }) => BigInt(outcome.blocked) },
} as const satisfies Readonly<
  Record<Goal, { readonly bound: keyof Bounds; readonly flag: string; readonly valueOf: (found: Found) => bigint }>
>;

/** Wei as ether, with four digits. */
const ether = (wei: bigint): string => {
  const sign = wei < 0n ? '-' : '';
  const tenThousandths = (wei < 0n ? -wei : wei) / 10n ** 14n;
  return `${sign}${tenThousandths / 10_000n}.${String(tenThousandths % 10_000n).padStart(4, '0')} ether`;
};

/** Bounds that a search broke, in words; empty when it broke none. */
export const brokenBounds = (findings: Findings, bounds: Bounds): string[] =>
  goals.flatMap((goal) => {
    const found = findings[goal];
    const { bound, flag, valueOf } = ofGoal[goal];
    const most = bounds[bound];
    if (found === null || most === null || valueOf(found) <= most) return [];
    return [`${goal}: ${valueOf(found)} is more than ${flag} ${most}`];
  });

function words(goal: Goal, { outcome }: Found): string {
  const { forced, insuranceLoss, profit, blocked, isBlockedAtEnd, blocks } = outcome;
  switch (goal) {
    case 'forced liquidation': {
      const { victim, cost, loss } = forced!;
      return `${victim} lost ${ether(loss)} after ${forced!.blocks} blocks, for ${ether(cost)}`;
    }
    case 'insurance loss':
      return `${ether(insuranceLoss)} in ${blocks} blocks`;
    case 'profit':
      return `${ether(profit)} in ${blocks} blocks; honest accounts lost ${ether(outcome.honestLoss)}`;
    case 'blocked withdrawals':
      return `${blocked} blocks${isBlockedAtEnd ? ', and no end to be seen' : ''}; debt ${ether(outcome.debt)}`;
  }
}

const names: Readonly<Record<Goal, string>> = {
  'forced liquidation': 'cheapest forced liquidation of a solvent account',
  'insurance loss': 'largest loss of the insurance fund',
  profit: 'largest profit of the adversary',
  'blocked withdrawals': 'longest time without withdrawals',
};

/** Lines for people. Each finding comes with the attack, as `--replay` takes it. */
export const linesOf = (findings: Findings): string[] =>
  goals.flatMap((goal) => {
    const found = findings[goal];
    if (found === null) return [`${names[goal]}: none found`];
    const { attack } = found;
    return [`${names[goal]}: ${words(goal, found)}`, `  ${attack.name}`, `  ${JSON.stringify(attack)}`];
  });

/** As JSON: amounts of wei are decimal text. */
export const jsonOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one), 2);
