/** What `prime doctor` says of one thing. */
export interface Check {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  /** What was found. */
  readonly found: string;
  /** Why it matters; null where nothing is wrong. */
  readonly why: string | null;
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null;
}

/** What goes with a finding. */
export interface Advice {
  readonly why: string;
  readonly advice: string;
}

/** Nothing to do. */
export const ok = (name: string, found: string): Check => ({ name, verdict: 'ok', found, why: null, advice: null });

type Finding = (name: string, found: string, advice: Advice) => Check;
const finding =
  (verdict: 'warn' | 'fail'): Finding =>
  (name, found, { why, advice }) => ({ name, verdict, found, why, advice });

/** The node runs, and something may go wrong. */
export const warn: Finding = finding('warn');

/** The node does not run like this, or loses something. */
export const fail: Finding = finding('fail');

const indent = ''.padEnd(20);

/** One line, and others that say why it matters and what to do where something is wrong. */
export const linesOf = ({ name, verdict, found, why, advice }: Check): string[] => [
  `${verdict.padEnd(6)}${name.padEnd(14)}${name.length < 14 ? '' : ' '}${found}`,
  ...(why === null ? [] : [`${indent}${why}`]),
  ...(advice === null ? [] : [`${indent}-> ${advice}`]),
];

/** A step that may fail, as a check; the error says what is wrong. */
export async function attempt(name: string, advice: Advice, work: () => string | Promise<string>): Promise<Check> {
  try {
    return ok(name, await work());
  } catch (error) {
    return fail(name, error instanceof Error ? error.message : String(error), advice);
  }
}
