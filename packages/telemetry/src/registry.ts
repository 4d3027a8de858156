import type { Metric } from 'prom-client';
import type { HistogramReading, MetricDefinition, MetricReading } from './metrics.ts';

/** A value with labels that is computed when Prometheus asks. */
export interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is read when Prometheus asks; of one without values nothing is shown but its name. */
export interface LabelledMetric {
  readonly name: string;
  readonly type: 'counter' | 'gauge';
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly read: () => readonly LabelledValue[];
}

/**
 * Prometheus text of readings from shared memory and of metrics that are read on demand.
 *
 * @param read what `readMetrics` gave for this collection
 */
export async function renderMetrics(
  read: readonly MetricReading[],
  labelled: readonly LabelledMetric[],
): Promise<string> {
  // Not before somebody asks: threads that only count would load it when they start. By its default: a bundled CommonJS module has no other name.
  const { Registry } = (await import('prom-client')).default;
  const registry = new Registry();
  for (const reading of read) registry.registerMetric(asMetric({ ...reading, values: samplesOf(reading) }));
  for (const { name, help, type, read: values } of labelled)
    registry.registerMetric(
      asMetric({ name, help, type, values: values().map(({ labels, value }) => sample(name, value, labels)) }),
    );
  return registry.metrics();
}

interface Sample {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

interface Collected {
  readonly name: string;
  readonly help: string;
  readonly type: MetricDefinition['type'];
  readonly values: readonly Sample[];
}

/**
 * A reading in the form that prom-client's registry collects. Its own counters and histograms can only be added to, one
 * observation at a time, while these were counted elsewhere. The registry asks a metric for its name and `get()`, which its types
 * do not show.
 */
function asMetric({ name, help, type: ownType, values }: Collected): Metric {
  const type = prometheusType(ownType);
  const metric = { name, help, type, get: () => Promise.resolve({ name, help, type, values, aggregator: 'sum' }) };
  return metric as unknown as Metric;
}

/** What Prometheus calls a metric of this type: it does not tell those with labels from those without. */
export function prometheusType(type: MetricDefinition['type']): 'counter' | 'gauge' | 'histogram' {
  if (type === 'counters') return 'counter';
  return type === 'histograms' ? 'histogram' : type;
}

const sample = (metricName: string, value: number, labels: Sample['labels'] = {}): Sample => ({
  metricName,
  labels,
  value,
});

function samplesOf(reading: MetricReading): Sample[] {
  switch (reading.type) {
    case 'histogram':
      return histogramSamples(reading.name, reading);
    case 'histograms':
      return reading.series.flatMap(([value, read]) =>
        histogramSamples(reading.name, read, { [reading.label]: value }),
      );
    case 'counters':
      return reading.counts.map(([value, count]) => sample(reading.name, count, { [reading.label]: value }));
    default:
      return [sample(reading.name, reading.value)];
  }
}

function histogramSamples(name: string, { buckets, sum }: HistogramReading, labels: Sample['labels'] = {}): Sample[] {
  const counts = buckets.map(([bound, count]) =>
    sample(`${name}_bucket`, count, { ...labels, le: Number.isFinite(bound) ? bound : '+Inf' }),
  );
  const all = buckets.at(-1)?.[1] ?? 0;
  return [...counts, sample(`${name}_sum`, sum, labels), sample(`${name}_count`, all, labels)];
}
