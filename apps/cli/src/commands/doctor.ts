import { resolve } from 'node:path';
import { homePaths } from '@prime/config';
import { dataDirHolder } from '@prime/storage';
import type { Command } from 'commander';
import { type Check, linesOf } from '../doctor/check.ts';
import { diskOf, portChecks, readHome, stoppedChecks } from '../doctor/home.ts';
import { machineChecks, readMachine } from '../doctor/machine.ts';
import { runningChecks } from '../doctor/running.ts';
import { CliError } from '../errors.ts';
import { existingHome, refuseOtherKind } from '../files.ts';

interface DoctorFlags {
  readonly home?: string;
  readonly json?: boolean;
}

/** `prime doctor`: whether a node can run here, and how the one that does is. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Look at machine, home and running node, and say what to do; changes nothing')
    .option('--home <dir>', 'home folder of a node (default: the machine only)')
    .option('--json', 'as JSON')
    .action(doctor);
}

async function doctor({ home, json = false }: DoctorFlags): Promise<void> {
  const machine = machineChecks(await readMachine());
  const checks = home === undefined ? machine : [...machine, ...(await homeChecks(home))];
  if (json) console.log(JSON.stringify(checks, null, 2));
  else for (const line of checks.flatMap(linesOf)) console.log(line);
  const failed = checks.filter(({ verdict }) => verdict === 'fail').map(({ name }) => name);
  if (failed.length > 0)
    throw new CliError(`a node can not run like this: ${failed.join(', ')}`, {
      code: 'CLI_CHECKS_FAILED',
      checks: failed,
    });
}

async function homeChecks(home: string): Promise<Check[]> {
  await existingHome(home);
  refuseOtherKind(home, 'node');
  const paths = homePaths(resolve(home));
  const { checks, config, genesis } = await readHome(paths);
  const rest =
    dataDirHolder(paths.lock) !== null
      ? await runningChecks(paths)
      : [...(await stoppedChecks(paths, genesis)), ...(config === null ? [] : await portChecks(config))];
  return [...checks, diskOf(paths), ...rest];
}
