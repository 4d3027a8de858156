import { join } from 'node:path';
import type { Guard } from '@prime/chaos/plain';
import { type RunningBeside, startBeside } from './beside.ts';
import type { PlannedBesides } from '../manifest/plan.ts';
import { type NetworkFile, publicNodes, shownPath } from '../networkFile.ts';

type Load = NonNullable<PlannedBesides['load']>;

interface LoadBeside {
  readonly directory: string;
  readonly load: Load;
  readonly network: NetworkFile;
  readonly guard: Guard;
  readonly say: (line: string) => void;
}

/** Starts the load of a manifest against a network whose nodes answer; the verdict is told when it is over. */
export function startLoad({ directory, load, network, guard, say }: LoadBeside): RunningBeside {
  const nodes = publicNodes(network);
  const report = join(directory, 'load-report.html');
  return startBeside({
    name: 'the load',
    args: loadArguments(load, {
      rpcUrls: nodes.map(({ rpc }) => rpc),
      adminUrls: nodes.map(({ admin }) => admin),
      report,
    }),
    log: join(directory, 'load.log'),
    isReady: () => true,
    endWords: (code) =>
      `  the load is over: ${code === 0 ? 'clean' : `exit code ${code}`}; report in ${shownPath(report)}`,
    guard,
    say,
  });
}

/** Of `prime`. */
export const loadArguments = (
  { scenario, rate, seconds, size, seed }: Load,
  at: { readonly rpcUrls: readonly string[]; readonly adminUrls: readonly string[]; readonly report: string },
): string[] => [
  'load',
  'run',
  scenario,
  '--rpc',
  at.rpcUrls.join(','),
  '--admin',
  at.adminUrls.join(','),
  ...(rate === undefined ? [] : ['--rate', `${rate}`]),
  ...(seconds === undefined ? [] : ['--duration', `${seconds}s`]),
  ...(size === undefined ? [] : ['--size', `${size}`]),
  ...(seed === undefined ? [] : ['--seed', `${seed}`]),
  '--report',
  at.report,
];
