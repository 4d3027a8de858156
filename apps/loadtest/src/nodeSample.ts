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
  const height = /^prime_consensus_height(?:\{\})? (\d+)/m.exec(text)?.[1];
  if (height === undefined) throw new Error('the node tells no height');
  return {
    height: Number(height),
    cpuMs: inMs(labelled(text, 'prime_thread_cpu_seconds', 'thread')),
    syncs: labelled(text, 'prime_disk_sync_seconds_count', 'file'),
    syncMs: inMs(labelled(text, 'prime_disk_sync_seconds_sum', 'file')),
  };
}

const inMs = (seconds: Readonly<Record<string, number>>): Record<string, number> =>
  Object.fromEntries(Object.entries(seconds).map(([name, value]) => [name, value * 1000]));

function labelled(text: string, metric: string, label: string): Record<string, number> {
  const lines = text.matchAll(new RegExp(`^${metric}\\{${label}="([^"]+)"\\} (\\S+)$`, 'gm'));
  const values = Object.fromEntries(Array.from(lines, ([, name, value]) => [name!, Number(value)]));
  if (Object.keys(values).length === 0) throw new Error(`the node does not tell ${metric}`);
  return values;
}
