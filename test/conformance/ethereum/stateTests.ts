import { casesOf, runCase } from './stateTest.ts';

export interface StateTestReport {
  readonly passed: number;
  /** One line per case. */
  readonly failures: readonly string[];
  readonly notApplicable: ReadonlyMap<string, number>;
  /** What did not apply and why, for people. */
  readonly summary: string;
}

/** Seconds each, under any EVM in JavaScript: for a nightly run. */
const slow =
  /stTimeConsuming|stQuadraticComplexity|Call50000|Return50000|CALLBlake2f|CALLCODEBlake2f|Call1MB|loopMul|loopExp|performanceTester|ContractCreationSpam|LoopCalls|run_until_out_of_gas/;
export const isSlowFile = (file: string): boolean => slow.test(file);

/** Runs the cases of files one after another. */
export async function runFiles(
  files: readonly string[],
  read: (file: string) => unknown,
  casesPerFileMax: number,
): Promise<StateTestReport> {
  let passed = 0;
  const failures: string[] = [];
  const notApplicable = new Map<string, number>();
  for (const file of files)
    for (const stateCase of casesOf(file, read(file)).slice(0, casesPerFileMax)) {
      const result = await runCase(stateCase);
      if (result.kind === 'passed') passed++;
      else if (result.kind === 'failed') failures.push(`${stateCase.name}: ${result.why}`);
      else notApplicable.set(result.why, (notApplicable.get(result.why) ?? 0) + 1);
    }
  const reasons = [...notApplicable].map(([why, count]) => `${count} ${why}`);
  const summary = reasons.length === 0 ? 'none not applicable' : `not applicable: ${reasons.join(', ')}`;
  return { passed, failures, notApplicable, summary };
}
