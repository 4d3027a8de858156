import type { RunReport } from '../runReport.ts';

/** What differs between two runs beside what is compared, in sentences without a full stop. */
export function differences(a: RunReport, b: RunReport): string[] {
  const told: string[] = [];
  const differs = (what: string, ofA: string | number, ofB: string | number): void => {
    if (ofA !== ofB) told.push(`${what}: ${ofA} in A, ${ofB} in B`);
  };
  differs('scenarios differ', a.scenario.name, b.scenario.name);
  if (a.scenario.name === b.scenario.name && a.scenario.toml !== b.scenario.toml)
    told.push(`the scenario ${a.scenario.name} was changed between the runs`);
  differs('seeds differ', a.seed, b.seed);
  differs('what was asked differs', a.asked, b.asked);
  differs('durations differ', seconds(a), seconds(b));
  differs('numbers of validators differ', a.network.validators.length, b.network.validators.length);
  differs('builds differ', builds(a), builds(b));
  for (const field of ['cores', 'cpu', 'memoryBytes', 'platform', 'node'] as const)
    differs(`machines differ in ${field}`, a.machine[field], b.machine[field]);
  differs('faults differ', faults(a), faults(b));
  return told;
}

const seconds = ({ durationMs }: RunReport): string => `${(durationMs / 1000).toFixed(1)} s`;
const builds = ({ network }: RunReport): string =>
  [...new Set(network.validators.map(({ version }) => version))].toSorted().join(', ') || 'unknown';
const faults = ({ bands }: RunReport): string =>
  bands
    .filter(({ kind }) => kind === 'fault')
    .map(({ name }) => name)
    .join(', ') || 'none';

/** A rate that kept up within this share of what was asked was not the network's limit. */
const keptUp = 0.99;
/** Shares of operations without a result that are as good as equal. */
const errorShareSlack = 0.01;

/** What a reader could take the figures for and must not. */
export function cautions(a: RunReport, b: RunReport): string[] {
  const told: string[] = [];
  const got = ({ totals }: RunReport): number => (totals.scheduled === 0 ? 0 : totals.acknowledged / totals.scheduled);
  if (got(a) >= keptUp && got(b) >= keptUp)
    told.push('both runs did what was asked: their throughput is that of the load, and no limit of the network');
  if (Math.abs(got(a) - got(b)) > errorShareSlack)
    told.push(
      `A acknowledged ${percent(got(a))} of what was due, B ${percent(got(b))}: latencies are of those that were acknowledged`,
    );
  return told;
}

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
