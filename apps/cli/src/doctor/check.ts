/** What `prime doctor` says of one thing. */
export interface Check {
  readonly name: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  /** What was found. */
  readonly found: string;
  /** What to do; null where nothing is to be done. */
  readonly advice: string | null;
}

export const ok = (name: string, found: string): Check => ({ name, verdict: 'ok', found, advice: null });
export const warn = (name: string, found: string, advice: string): Check => ({ name, verdict: 'warn', found, advice });
export const fail = (name: string, found: string, advice: string): Check => ({ name, verdict: 'fail', found, advice });

/** One line, and a second one where something is to be done. */
export const linesOf = ({ name, verdict, found, advice }: Check): string[] => [
  `${verdict.padEnd(6)}${name.padEnd(14)}${found}`,
  ...(advice === null ? [] : [`${''.padEnd(20)}-> ${advice}`]),
];

/** A step that may fail, as a check. @param advice what to do then; the error says what is wrong */
export async function attempt(name: string, advice: string, work: () => string | Promise<string>): Promise<Check> {
  try {
    return ok(name, await work());
  } catch (error) {
    return fail(name, error instanceof Error ? error.message : String(error), advice);
  }
}
