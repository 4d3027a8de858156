import type { Prng } from '@prime/primitives';
import type { RunReport } from '../runReport.ts';
import { blockLength } from './blockLength.ts';
import type { RunEstimator } from './runEstimator.ts';

/**
 * Intervals of ratios of two runs by a circular block bootstrap over their windows (ADR 0148).
 *
 * Windows are drawn and not operations, because operations of one moment wait behind the same block. Blocks of neighbouring windows are drawn, because a machine that is busy stays busy for a while.
 * Where both runs had the same plan, the same windows are drawn of both: a ramp or a fault is then in both or in neither, and does not count as noise.
 */

/** Fewer windows than this tell nothing of how much a run varies. */
export const windowsMin = 10;

/** Intervals of the ratios of two runs, and how they were drawn. */
export interface Intervals {
  /** In the order of the estimates; null where nothing can be said. */
  readonly of: readonly (readonly [low: number, high: number] | null)[];
  readonly paired: boolean;
  /** Windows that were drawn together, of A and of B. */
  readonly blocks: readonly [number, number];
}

/**
 * Intervals of 95 % for each figure of A over that of B; ADR 0148.
 *
 * @param options `paired` when both runs had the same plan; `draws` is a count; the same `prng` gives the same
 * intervals
 */
export function ratioIntervals(
  [a, b]: readonly [RunEstimator, RunEstimator],
  { paired, draws, prng }: { readonly paired: boolean; readonly draws: number; readonly prng: Prng },
): Intervals {
  const blocks = paired ? pairedBlocks(a, b) : ([ownBlock(a), ownBlock(b)] as const);
  const point = logRatios(a.whole(), b.whole());
  const drawn: number[][] = point.map(() => []);
  for (let draw = 0; draw < draws; draw++) {
    const ofA = drawnWeights(prng, a.windows, blocks[0]);
    const ofB = paired ? ofA : drawnWeights(prng, b.windows, blocks[1]);
    for (const [index, ratio] of logRatios(a.of(ofA), b.of(ofB)).entries()) drawn[index]!.push(ratio);
  }
  const independent = Math.min(a.windows / blocks[0], b.windows / blocks[1]);
  // Few blocks tell little of how much blocks vary, so the interval is as wide as t says, not as the normal distribution.
  const width = tQuantile(independent - 1);
  const of = point.map((middle, index) => {
    const half = width * deviation(drawn[index]!);
    return Number.isFinite(half) && Number.isFinite(middle)
      ? ([Math.exp(middle - half), Math.exp(middle + half)] as const)
      : null;
  });
  return { of, paired, blocks };
}

/** Whether window i of one run was under the same load as window i of the other. */
export function samePlan(a: RunReport, b: RunReport): boolean {
  const windowMs = ({ windows: [first] }: RunReport): number => (first === undefined ? 0 : first.toMs - first.fromMs);
  const slackMs = windowMs(a);
  const stages = ({ bands }: RunReport) => bands.filter(({ kind }) => kind === 'stage');
  const [ofA, ofB] = [stages(a), stages(b)];
  return (
    a.windows.length === b.windows.length &&
    Math.abs(windowMs(a) - windowMs(b)) <= slackMs / 100 &&
    ofA.length === ofB.length &&
    ofA.every(
      ({ name, fromMs, toMs }, index) =>
        name === ofB[index]!.name &&
        Math.abs(fromMs - ofB[index]!.fromMs) <= slackMs &&
        Math.abs(toMs - ofB[index]!.toMs) <= slackMs,
    )
  );
}

/** What was planned is in both runs, so the ratios of windows show what was not. */
function pairedBlocks(a: RunEstimator, b: RunEstimator): readonly [number, number] {
  const [ofA, ofB] = [a.single(), b.single()];
  const length = longest(ofA.map((estimates, index) => logRatios(estimates, ofB[index]!)));
  return [length, length];
}

/** What was planned counts as dependence: without a pair nothing tells the two apart. */
const ownBlock = (run: RunEstimator): number =>
  longest(run.single().map((estimates) => estimates.map((value) => Math.log(value))));

/** One length for all estimates, since windows are drawn once for all: the longest that any needs, in four blocks at least. */
function longest(rows: readonly (readonly number[])[]): number {
  const lengths = rows[0]!.map((_, column) => {
    const series = rows.map((row) => row[column]!).filter((value) => Number.isFinite(value));
    return series.length < 2 ? 1 : blockLength(series);
  });
  return Math.max(1, Math.min(Math.floor(rows.length / 4), Math.max(...lengths)));
}

const logRatios = (a: readonly number[], b: readonly number[]): number[] =>
  a.map((value, index) => Math.log(b[index]! / value));

function drawnWeights(prng: Prng, windows: number, block: number): Uint32Array {
  const weights = new Uint32Array(windows);
  for (let taken = 0; taken < windows; ) {
    const start = prng.below(windows);
    for (let at = 0; at < block && taken < windows; at++, taken++) weights[(start + at) % windows]!++;
  }
  return weights;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}

/** Of Student's t at 97.5 %, by the expansion around the normal distribution: 1 % too low at 3 degrees of freedom, exact to three digits from 5 on. */
export function tQuantile(degrees: number): number {
  const z = 1.959964;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}
