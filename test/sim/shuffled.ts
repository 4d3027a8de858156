import type { Prng } from '@prime/primitives';

/** A copy in random order. */
export function shuffled<T>(items: readonly T[], prng: Prng): T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = prng.below(index + 1);
    [result[index], result[other]] = [result[other]!, result[index]!];
  }
  return result;
}
