import type { ChartSeries } from './chart.ts';

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
