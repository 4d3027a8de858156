/** One thing that is wrong with a manifest. */
export interface ManifestProblem {
  /** Of the key: `validators[1].stake`. */
  readonly path: string;
  /** What stands there, as JSON; empty where a key is missing. */
  readonly value: string;
  readonly allowed: string;
}

/** A value as it may stand in a message: JSON, clipped. */
export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? '';
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** One line for people: where, what stands there, and what is allowed. */
export const describeProblem = ({ path, value, allowed }: ManifestProblem): string =>
  value === '' ? `${path} is missing: ${allowed}` : `${path} = ${value}: allowed is ${allowed}`;
