import type { Chart, ChartBand, ChartSeries } from './chart.ts';
import type { Quantity } from './format.ts';
import type { RunReport } from './runReport.ts';

/** Charts over the time of the run, all with the same bands. */

const bandsOf = ({ bands }: RunReport): ChartBand[] =>
  bands.map(({ kind, name, fromMs, toMs, recoveryMs }) => ({
    kind,
    name,
    from: fromMs / 1000,
    to: toMs / 1000,
    recovered: (toMs + (recoveryMs ?? 0)) / 1000,
  }));

/** A chart over the time of a run: `atMs` are its places. */
export interface TimeChart extends Pick<Chart, 'id' | 'title' | 'series'> {
  readonly label: string;
  readonly quantity: Quantity;
  readonly log?: boolean;
  /** ms since the measured part began. */
  readonly atMs: readonly number[];
}

/** More places than pixels make a file large and show nothing: neighbours become one. */
const placesMax = 2000;

/**
 * Makes a chart over time. With too many places neighbouring ones become one, as each series says; stages and faults
 * lie behind it.
 */
export function timeChart(
  report: RunReport,
  { id, title, label, quantity, log = false, atMs, series }: TimeChart,
): Chart {
  const step = Math.max(1, Math.ceil(atMs.length / placesMax));
  return {
    id,
    title,
    x: { label: 'time', quantity: 'seconds', log: false },
    y: { label, quantity, log },
    xs: everySo(atMs, step).map((ms) => ms / 1000),
    series: step === 1 ? series : series.map((one) => ({ ...one, values: inSteps(one, step) })),
    bands: bandsOf(report),
  };
}

/**
 * A series that is drawn as a line.
 *
 * @param colour 0…7, see {@link ChartSeries.colour}
 */
export const line = (
  label: string,
  colour: number,
  values: readonly (number | null)[],
  reduce: ChartSeries['reduce'] = 'mean',
): ChartSeries => ({ label, colour, values, reduce, shape: 'line' });

/**
 * A series whose places are not joined.
 *
 * @param colour 0…7, see {@link ChartSeries.colour}
 */
export const points = (label: string, colour: number, values: readonly (number | null)[]): ChartSeries => ({
  ...line(label, colour, values),
  shape: 'points',
});

/** The first of each so many. */
export const everySo = <T>(values: readonly T[], step: number): T[] => values.filter((_, index) => index % step === 0);

/** One value for each so many neighbours, as the series says that neighbours become one. */
export const inSteps = ({ values, reduce }: Pick<ChartSeries, 'values' | 'reduce'>, step: number): (number | null)[] =>
  everySo(
    values.map((_, index) => index),
    step,
  ).map((from) => {
    const present = values.slice(from, from + step).filter((value) => value !== null);
    if (present.length === 0) return null;
    if (reduce === 'max') return Math.max(...present);
    return reduce === 'last' ? present.at(-1)! : present.reduce((sum, value) => sum + value, 0) / present.length;
  });
