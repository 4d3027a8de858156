import { ChaosError, type ChaosErrorDetail } from '@prime/chaos';
import { CliError, type CliErrorDetail } from '../errors.ts';

/** Carries out what a command does with a network under chaos; what does not take place becomes an error of the command line. */
export async function asRun<Result>(run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof ChaosError)) throw thrown;
    throw new CliError(thrown.message, detailOf(thrown.detail), { cause: thrown });
  }
}

function detailOf(detail: ChaosErrorDetail): CliErrorDetail {
  switch (detail.code) {
    case 'CHAOS_MANIFEST_INVALID':
      return { code: 'CLI_MANIFEST_INVALID', reason: detail.reason };
    case 'CHAOS_NODE_ENDED':
      return { code: 'CLI_VALIDATOR_ENDED', name: detail.name, exitCode: detail.exitCode };
  }
}
