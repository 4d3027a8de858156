import { isPrimeError } from '@prime/primitives';
import { Violation } from './observer.ts';

/**
 * The simulation itself failed, and not what it simulates: an error that is neither a {@link Violation} nor a typed one of the code under test. It ends
 * whatever wanted the run, also the hunt for a planted bug, which it says nothing about.
 */
export class HarnessError extends Error {}

/** Lines of the trace that an error of the simulation tells. */
const traceLinesMax = 100;

/**
 * What a run found. A typed error of the code under test, broken invariants among them, is a finding too.
 *
 * @throws HarnessError
 */
export function findingOf(error: unknown, seed: number, trace: readonly string[]): string {
  if (error instanceof Violation) return error.message;
  if (isPrimeError(error)) return `${error.code}: ${error.message}\n${error.stack}`;
  const told = error instanceof Error ? error.stack : String(error);
  const lines = [...trace.slice(-traceLinesMax), `the simulation failed with seed ${seed}: ${told}`];
  throw new HarnessError(lines.join('\n'), { cause: error });
}
