import type { MetricDefinition } from './metrics.ts';

type Definition<Type extends MetricDefinition['type']> = Extract<MetricDefinition, { readonly type: Type }>;

/** Which series a metric has: one for each value of a label. */
interface Series<Values extends readonly string[]> {
  readonly label: string;
  readonly values: Values;
}

/** Makes definitions of metrics, so that a table of them is read at a glance. */
export const define = {
  gauge: (help: string) => ({ type: 'gauge', help }) as const,
  counter: (help: string) => ({ type: 'counter', help }) as const,
  histogram: (help: string, buckets: readonly number[]): Definition<'histogram'> => ({
    type: 'histogram',
    help,
    buckets,
  }),
  counters: <const Values extends readonly string[]>(help: string, series: Series<Values>) =>
    ({ type: 'counters', help, ...series }) as const,
  histograms: <const Values extends readonly string[]>(
    help: string,
    series: Series<Values>,
    buckets: readonly number[],
  ) => ({ type: 'histograms', help, ...series, buckets }) as const,
};
