/** What was looked at by one rule of a verdict, and what broke it. Reports hold it as it is. */
export interface Finding {
  readonly rule: string;
  /** What was looked at, with numbers: a rule that saw nothing proves nothing. */
  readonly seen: string;
  /** Empty when the rule holds. */
  readonly violations: readonly string[];
}

/** Findings of all rules, also of those that hold; clean when no rule has a violation. */
export interface Verdict {
  readonly clean: boolean;
  readonly findings: readonly Finding[];
}

/** More violations of one rule than these are counted and not listed. */
const listedMax = 20;

/** Result of one rule. At most 20 violations are listed; one more line says how many others there were. */
export function finding(rule: string, seen: string, violations: readonly string[]): Finding {
  const more = violations.length - listedMax;
  const listed = more > 0 ? [...violations.slice(0, listedMax), `… and ${more} more`] : violations;
  return { rule, seen, violations: listed };
}

/** Clean when every rule holds. */
export const verdictOf = (findings: readonly Finding[]): Verdict => ({
  clean: findings.every(({ violations }) => violations.length === 0),
  findings,
});

/** Milliseconds as words of a report: seconds with one digit, such as `1.5 s`. */
export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
