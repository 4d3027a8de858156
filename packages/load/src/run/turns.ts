import type { ComparedFigure } from '../report/compare/compareReports.ts';
import { isClean, type RunReport, whyWithheld } from '../report/runReport.ts';

/** Two networks loaded in turns: what the machine does to one of them it does to the other a moment later. */

/** A figure of both, geometric means over the rounds, and the ratio B/A with its interval. */
export type PairedFigure = Omit<ComparedFigure, 'told'>;

/** Quantiles of Student's t at 97.5 %, by degrees of freedom from 1 on; beyond the last one it is that of the normal distribution to 2 %. */
const quantiles = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
] as const;
const normalQuantile = 1.96;

const figures: readonly (readonly [name: string, of: (report: RunReport) => number | null])[] = [
  ['operations in blocks per second', ({ totals, durationMs }) => totals.committed / (durationMs / 1000)],
  ['acknowledged per second', ({ totals, durationMs }) => totals.acknowledged / (durationMs / 1000)],
  [
    'acknowledged p50, ms',
    ({ kinds }) => weighted(kinds.map(({ acknowledged }) => [acknowledged.count, acknowledged.p50Ms])),
  ],
  [
    'acknowledged p99, ms',
    ({ kinds }) => weighted(kinds.map(({ acknowledged }) => [acknowledged.count, acknowledged.p99Ms])),
  ],
  [
    'in a block p50, ms',
    ({ kinds }) => weighted(kinds.flatMap(({ visible }) => (visible === null ? [] : [[visible.count, visible.p50Ms]]))),
  ],
  [
    'in a block p99, ms',
    ({ kinds }) => weighted(kinds.flatMap(({ visible }) => (visible === null ? [] : [[visible.count, visible.p99Ms]]))),
  ],
  ['knee, operations per second', ({ knee }) => knee?.rate ?? null],
];

/** Mean over kinds, each as often as it came; null when none did. */
function weighted(pairs: readonly (readonly number[])[]): number | null {
  const count = pairs.reduce((sum, [often]) => sum + often!, 0);
  return count === 0 ? null : pairs.reduce((sum, [often, value]) => sum + often! * value!, 0) / count;
}

/**
 * Ratios of B to A over rounds that were run in turns. Each round is one pair; the interval is that of the mean of the logarithms of its ratios
 * (Student's t), so what both share in a round cancels.
 *
 * @returns why there is nothing to compare, or the figures
 */
export function pairedFigures(rounds: readonly (readonly [a: RunReport, b: RunReport])[]): {
  readonly withheld: readonly string[];
  readonly figures: readonly PairedFigure[];
} {
  if (rounds.length === 0) return { withheld: ['no round came to its end'], figures: [] };
  const withheld = rounds.flatMap((round, index) =>
    round.flatMap((report, side) =>
      isClean(report) && report.generator.unfit === null
        ? []
        : whyWithheld(report).map((reason) => `round ${index + 1}, ${'AB'[side]}: ${reason}`),
    ),
  );
  if (withheld.length > 0) return { withheld, figures: [] };
  return {
    withheld,
    figures: figures.flatMap(([name, of]) => {
      const pairs = rounds.map(([a, b]) => [of(a), of(b)] as const);
      const whole = pairs.filter((pair): pair is readonly [number, number] =>
        pair.every((value) => value !== null && value > 0),
      );
      return whole.length === rounds.length && whole.length > 0 ? [figureOf(name, whole)] : [];
    }),
  };
}

function figureOf(name: string, pairs: readonly (readonly [number, number])[]): PairedFigure {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const logs = pairs.map(([a, b]) => Math.log(b / a));
  const middle = mean(logs);
  const degrees = pairs.length - 1;
  const geometric = (side: 0 | 1): number => Math.exp(mean(pairs.map((pair) => Math.log(pair[side]))));
  const variance = degrees === 0 ? 0 : logs.reduce((sum, log) => sum + (log - middle) ** 2, 0) / degrees;
  const half = (quantiles[degrees - 1] ?? normalQuantile) * Math.sqrt(variance / pairs.length);
  return {
    name,
    a: geometric(0),
    b: geometric(1),
    ratio: Math.exp(middle),
    interval: degrees === 0 ? null : [Math.exp(middle - half), Math.exp(middle + half)],
  };
}
