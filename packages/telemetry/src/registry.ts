import { Gauge, Registry } from 'prom-client';
import type { MetricReading } from './metrics.ts';

/** A value with labels that is computed when Prometheus asks. */
export interface LabelledValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface LabelledGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
  readonly read: () => readonly LabelledValue[];
}

/**
 * Prometheus text of readings from shared memory and of gauges that are read on demand.
 *
 * @param read called once per collection
 */
export async function renderMetrics(read: readonly MetricReading[], gauges: readonly LabelledGauge[]): Promise<string> {
  const registry = new Registry();
  for (const reading of read) {
    if (reading.type === 'histogram') continue;
    new Gauge({ name: reading.name, help: reading.help, registers: [registry] }).set(reading.value);
  }
  for (const { name, help, labelNames, read: values } of gauges) {
    const gauge = new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
    for (const { labels, value } of values()) gauge.set(labels, value);
  }
  const text = await registry.metrics();
  const counters = read.filter(({ type }) => type === 'counter').map(({ name }) => name);
  const typed = counters.reduce(
    (result, name) => result.replace(`# TYPE ${name} gauge`, `# TYPE ${name} counter`),
    text,
  );
  return typed + read.map(renderHistogram).join('');
}

/** prom-client's own histograms can only be observed, not set, so these lines are written here. */
function renderHistogram(reading: MetricReading): string {
  if (reading.type !== 'histogram') return '';
  const { name, help, buckets, sum } = reading;
  const lines = buckets.map(
    ([bound, count]) => `${name}_bucket{le="${Number.isFinite(bound) ? bound : '+Inf'}"} ${count}`,
  );
  const total = buckets.at(-1)?.[1] ?? 0;
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} histogram`,
    ...lines,
    `${name}_sum ${sum}`,
    `${name}_count ${total}`,
    '\n',
  ].join('\n');
}
