import { resolve } from 'node:path';
import { homePaths } from '@prime/config';
import { dataDirHolder } from '@prime/storage';
import type { Command } from 'commander';
import { type Check, linesOf } from '../../doctor/check.ts';
import { askedNodeChecks } from '../../doctor/askedNode.ts';
import { diskChecks, peerChecks, portChecks, readHome, settingsChecks, stoppedChecks } from '../../doctor/home.ts';
import { machineChecks, readMachine } from '../../doctor/machine.ts';
import { runningChecks } from '../../doctor/running.ts';
import { CliError } from '../../errors.ts';
import { existingHome, refuseOtherKind } from '../../files.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';
import { checkUrl, rpcNode, type RpcNode } from '../../node/rpc.ts';

interface DoctorFlags extends JsonFlags {
  readonly home?: string;
  readonly strict?: boolean;
  readonly rpc?: string;
}

/** `prime doctor`: whether a node can run here, and how the one that does is. */
export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('Look at machine, home and running node, and say what to do; changes nothing')
    .option('--home <dir>', 'home folder of a node (default: the machine only)')
    .option('--rpc <url>', 'node of the network that clock and genesis are compared with')
    .option('--strict', 'warnings count as failures')
    .option('--json', 'as JSON')
    .action(doctor);
}

async function doctor({ home, rpc, strict = false, ...flags }: DoctorFlags): Promise<void> {
  const node = rpc === undefined ? null : await rpcNode(rpc, {});
  if (node !== null) checkUrl(node.url);
  const machine = machineChecks(await readMachine());
  const checks = [
    ...machine,
    ...(home === undefined ? (node === null ? [] : await askedNodeChecks(node, null)) : await homeChecks(home, node)),
  ];
  print(flags, checks, () => checks.flatMap(linesOf));
  const failed = checks
    .filter(({ verdict }) => verdict === 'fail' || (strict && verdict === 'warn'))
    .map(({ name }) => name);
  if (failed.length > 0)
    throw new CliError(`a node can not run like this: ${failed.join(', ')}`, {
      code: 'CLI_CHECKS_FAILED',
      checks: failed,
    });
}

async function homeChecks(home: string, node: RpcNode | null): Promise<Check[]> {
  await existingHome(home);
  refuseOtherKind(home, 'node');
  const paths = homePaths(resolve(home));
  const { checks, config, genesis, protocol } = await readHome(paths);
  const isRunning = dataDirHolder(paths.lock) !== null;
  const rest = isRunning
    ? await runningChecks(paths, config, protocol)
    : [
        ...(await stoppedChecks(paths, genesis)),
        ...(config === null ? [] : await portChecks(config)),
        ...(config === null || genesis === null || protocol === null
          ? []
          : await peerChecks(config, genesis, protocol)),
      ];
  return [
    ...checks,
    ...(config === null || genesis === null ? [] : await settingsChecks(paths, config, genesis)),
    ...(await diskChecks(paths, config)),
    ...rest,
    ...(node === null ? [] : await askedNodeChecks(node, genesis)),
  ];
}
