import { join } from 'node:path';
import type { Guard } from '@prime/chaos/plain';
import { exitCode } from '@prime/node';
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
  const log = join(directory, 'load.log');
  return startBeside({
    name: 'the load',
    args: loadArguments(load, {
      rpcUrls: nodes.map(({ rpc }) => rpc),
      adminUrls: nodes.map(({ admin }) => admin),
      report,
    }),
    log,
    isReady: () => true,
    endWords: (code) => `  ${endOf(code, shownPath(report), shownPath(log))}`,
    guard,
    say,
  });
}

/** There is a report of a load that has a verdict. */
function endOf(code: number | null, report: string, log: string): string {
  if (code === exitCode.ok) return `the load is over: clean; report in ${report}`;
  if (code === exitCode.notProven) return `the load is over: not clean; report in ${report}`;
  return `the load ended ${code === null ? 'by a signal' : `with exit code ${code}`}; why is in ${log}`;
}

/** Of `prime`. */
export const loadArguments = (
  { scenario, rate, seconds, size, seed, gap_seconds: gap }: Load,
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
  ...(gap === undefined ? [] : ['--gap', `${gap}s`]),
  '--report',
  at.report,
];
