import { parseSamples } from '@prime/telemetry';

/** What a node counted so far, from its metrics. */
export interface NodeSample {
  readonly height: number;
  /** Processor time by thread, ms. */
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Times that consensus waited for the disk, by file. */
  readonly syncs: Readonly<Record<string, number>>;
  /** How long it waited for them, ms. */
  readonly syncMs: Readonly<Record<string, number>>;
}

/** @throws Error when the node does not answer or lacks the metrics */
export async function sampleNode(adminUrl: string): Promise<NodeSample> {
  return parseSample(await (await fetch(`${adminUrl}/metrics`)).text());
}

/** @param text of Prometheus @throws Error when a metric is missing */
export function parseSample(text: string): NodeSample {
  const samples = parseSamples(text);
  const height = samples.value('prime_consensus_height');
  if (height === null) throw new Error('the node tells no height');
  const labelled = (metric: string, label: string): Readonly<Record<string, number>> => {
    const values = samples.by(metric, label);
    if (Object.keys(values).length === 0) throw new Error(`the node does not tell ${metric}`);
    return values;
  };
  return {
    height,
    cpuMs: inMs(labelled('prime_thread_cpu_seconds_total', 'thread')),
    syncs: labelled('prime_disk_sync_seconds_count', 'file'),
    syncMs: inMs(labelled('prime_disk_sync_seconds_sum', 'file')),
  };
}

const inMs = (seconds: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value * 1000]));
