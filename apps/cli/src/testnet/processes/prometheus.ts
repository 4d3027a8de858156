import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Guard } from '@prime/chaos/plain';
import { type RunningBeside, startBeside } from './beside.ts';
import { readMonitoring, rulesFileName } from '../monitoring.ts';
import { type NetworkFile, nodesOfFile } from '../networkFile.ts';

/** One job of a configuration of Prometheus, by the targets' names. */
export interface ScrapeTargets {
  readonly job: string;
  readonly targets: readonly { readonly name: string; readonly at: string }[];
}

/** A configuration of Prometheus with the alerts beside it ({@link rulesFileName}), which is YAML; JSON is YAML, too. */
export const prometheusConfig = (jobs: readonly ScrapeTargets[]): string =>
  `${JSON.stringify(
    {
      global: { scrape_interval: '5s', evaluation_interval: '5s' },
      rule_files: [rulesFileName],
      scrape_configs: jobs
        .filter(({ targets }) => targets.length > 0)
        .map(({ job, targets }) => ({
          job_name: job,
          static_configs: targets.map(({ name, at }) => ({ targets: [at], labels: { instance: name } })),
        })),
    },
    null,
    2,
  )}\n`;

/** Jobs as the alerts know them: nodes are `prime`, signers `prime-signer`. */
export const jobsOf = (network: NetworkFile): ScrapeTargets[] => {
  const targets = (list: readonly { readonly name: string; readonly admin: string }[]) =>
    list.map(({ name, admin }) => ({ name, at: new URL(admin).host }));
  return [
    { job: 'prime', targets: targets(nodesOfFile(network)) },
    { job: 'prime-signer', targets: targets(network.signers) },
  ];
};

interface PrometheusBeside {
  readonly directory: string;
  readonly network: NetworkFile;
  /** Where it listens, as `network.json` names it. */
  readonly url: string;
  readonly guard: Guard;
  readonly say: (line: string) => void;
}

/** Starts the Prometheus of the system with every node of a network as a target. */
export function startPrometheus({ directory, network, url, guard, say }: PrometheusBeside): RunningBeside {
  const folder = join(directory, 'prometheus');
  mkdirSync(folder, { recursive: true });
  const config = join(folder, 'prometheus.yml');
  const log = join(folder, 'prometheus.log');
  writeFileSync(config, prometheusConfig(jobsOf(network)));
  writeFileSync(join(folder, rulesFileName), readMonitoring().rules);
  return startBeside({
    name: 'Prometheus',
    program: 'prometheus',
    args: [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=${new URL(url).host}`,
    ],
    log,
    isReady: (line) => line.includes('Server is ready'),
    endWords: (code) =>
      code === null
        ? '  nobody watches the network: the program prometheus is not installed, or was killed'
        : `Prometheus ended with exit code ${code}; why is in ${log}`,
    guard,
    say,
  });
}
