import { createPrng } from '@prime/primitives';
import { type RunReport, whyWithheld } from '../runReport.ts';
import { type Intervals, ratioIntervals, samePlan, windowsMin } from './intervals.ts';
import { estimateNames, RunEstimator } from './runEstimator.ts';

/** B beside A in one figure. */
export interface ComparedFigure {
  readonly name: string;
  readonly a: number;
  readonly b: number;
  /** B / A. */
  readonly ratio: number;
  /** Where the ratio lies at 95 %; null where the runs are too short, or too few, to say. */
  readonly interval: readonly [low: number, high: number] | null;
  readonly told: 'B is higher' | 'B is lower' | 'not told apart' | 'too short to tell';
}

/** Two runs beside each other, as it is written to a file and printed. */
export interface Comparison {
  readonly format: 'prime-load-comparison-1';
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  /** Why no figure is given; empty when some are. */
  readonly withheld: readonly string[];
  readonly warnings: readonly string[];
  /** Null when withheld. */
  readonly figures: readonly ComparedFigure[] | null;
  /** How intervals were found, for people. */
  readonly method: string;
}
/** What tells a compared run from others. */
export interface ComparedRun {
  readonly scenario: string;
  readonly asked: string;
  readonly seed: number;
  readonly startedAt: string;
}

/** How the intervals of a comparison are drawn. */
export interface CompareOptions {
  /** Of the draws; the same seed gives the same intervals. */
  readonly seed?: number;
  /** Runs that are drawn for the intervals. */
  readonly draws?: number;
}

const drawsByDefault = 2000;

/**
 * Ratios of throughput and latency of two runs, B by A, with intervals.
 *
 * Intervals come from a block bootstrap over the windows of each run (see `intervals.ts`, ADR 0148). They hold what varied within the runs. What differs from one
 * run to the next, such as where a process was placed, they can not know.
 *
 * @throws LoadError `LOAD_HISTOGRAM_MALFORMED` for a report that did not come through `parseReport`
 */
export function compareReports(a: RunReport, b: RunReport, options: CompareOptions = {}): Comparison {
  const withheld = [
    ...whyWithheld(a).map((reason) => `A: ${reason}`),
    ...whyWithheld(b).map((reason) => `B: ${reason}`),
  ];
  if ((a.knee === null) !== (b.knee === null))
    withheld.push('one run searched its knee and the other was asked for one rate: they have no figure in common');
  const runs = { format: 'prime-load-comparison-1' as const, a: runOf(a), b: runOf(b), withheld };
  if (withheld.length > 0) return { ...runs, warnings: differences(a, b), figures: null, method: '' };
  if (a.knee !== null && b.knee !== null)
    return {
      ...runs,
      warnings: differences(a, b),
      figures: [kneeFigure(a.knee, b.knee)],
      method: 'The interval of the ratio is as wide as both intervals of the knees allow.',
    };
  const { figures, method } = windowFigures(a, b, options);
  return { ...runs, warnings: [...differences(a, b), ...cautions(a, b)], figures, method };
}

const runOf = ({ scenario, asked, seed, startedAt }: RunReport): ComparedRun => ({
  scenario: scenario.name,
  asked,
  seed,
  startedAt,
});

type Knee = NonNullable<RunReport['knee']>;
function kneeFigure(a: Knee, b: Knee): ComparedFigure {
  const interval = a.low > 0 && a.high > 0 ? ([b.low / a.high, b.high / a.low] as const) : null;
  return {
    name: 'knee, operations a second',
    a: a.rate,
    b: b.rate,
    ratio: b.rate / a.rate,
    interval,
    told: told(interval),
  };
}

function windowFigures(a: RunReport, b: RunReport, { seed = 1, draws = drawsByDefault }: CompareOptions) {
  const runs = [new RunEstimator(a), new RunEstimator(b)] as const;
  const longEnough = runs.every(({ windows }) => windows >= windowsMin);
  const paired = samePlan(a, b);
  const intervals = longEnough ? ratioIntervals(runs, { paired, draws, prng: createPrng(seed) }) : null;
  const [ofA, ofB] = [runs[0].whole(), runs[1].whole()];
  const [standsA, standsB] = [runs[0].enough(), runs[1].enough()];
  const figures = estimateNames.flatMap((name, index): ComparedFigure[] => {
    const [valueA, valueB] = [ofA[index]!, ofB[index]!];
    // Reads are never visible in a block, and of nothing there is no ratio.
    if (!(valueA > 0 && valueB > 0)) return [];
    const interval = standsA[index]! && standsB[index]! ? (intervals?.of[index] ?? null) : null;
    return [{ name, a: valueA, b: valueB, ratio: valueB / valueA, interval, told: told(interval) }];
  });
  return { figures, method: methodOf(intervals, draws) };
}

function methodOf(intervals: Intervals | null, draws: number): string {
  if (intervals === null) return `No intervals: a run has less than ${windowsMin} windows.`;
  const { paired, blocks } = intervals;
  const how = paired
    ? `the same blocks of ${blocks[0]} windows from both runs, which had the same plan`
    : `blocks of windows from each run for itself (${blocks[0]} of A, ${blocks[1]} of B), because their plans differ`;
  return `Intervals from ${draws} draws of ${how}. They hold what varied within the runs, and not what varies from one run to the next.`;
}

function told(interval: readonly [number, number] | null): ComparedFigure['told'] {
  if (interval === null) return 'too short to tell';
  if (interval[0] > 1) return 'B is higher';
  return interval[1] < 1 ? 'B is lower' : 'not told apart';
}

/** What differs between two runs beside what is compared, in sentences without a full stop. */
function differences(a: RunReport, b: RunReport): string[] {
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
function cautions(a: RunReport, b: RunReport): string[] {
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
