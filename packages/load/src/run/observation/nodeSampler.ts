import { parseSamples } from '@prime/telemetry';
import type { RunReport } from '../../report/runReport.ts';

type Samples = RunReport['validators'];

/** What one answer of `/metrics` says. Processor seconds are those since the process began. */
interface Metrics {
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly rssBytes: number;
  /** What its home takes; null when it does not tell. */
  readonly homeBytes: number | null;
  /** Lines at level error since the process began; null when it does not tell. */
  readonly errorLines: number | null;
  readonly head: number;
  readonly mempoolFill: number;
  readonly diskSyncSeconds: number;
}

/** A node that does not answer its admin endpoint within this is missing in that sample, ms. */
const answerMs = 2_000;

/** @param text in the text format of Prometheus @returns null when it is not that of a node */
export function parseMetrics(text: string): Metrics | null {
  const samples = parseSamples(text);
  const rssBytes = samples.value('process_resident_memory_bytes');
  const head = samples.value('prime_consensus_height');
  if (rssBytes === null || head === null) return null;
  return {
    cpuSeconds: samples.by('prime_thread_cpu_seconds_total', 'thread'),
    rssBytes,
    homeBytes: samples.value('prime_home_bytes'),
    errorLines: samples.value('prime_log_lines_total', { level: 'error' }),
    head,
    mempoolFill: samples.value('prime_mempool_fill_ratio') ?? 0,
    diskSyncSeconds: samples.sum('prime_disk_sync_seconds_sum'),
  };
}

interface Node {
  readonly name: string;
  readonly url: string;
  last: { readonly atMs: number; readonly metrics: Metrics } | null;
  samples: Samples[number]['samples'];
  /** Highest part of the mempool's room that was taken, and seconds that consensus waited for the disk. */
  mempoolFill: number;
  diskSyncSeconds: number;
  /** Lines at level error since the first sample; null before there is a difference. */
  errorLines: number | null;
  underWay: Promise<void> | null;
}

/** What nodes' metrics say of who was busiest: `what` is a thread, the disk or the mempool, `share` between 0 and 1. */
export interface Busiest {
  readonly node: string;
  readonly what: string;
  readonly share: number;
}

/** Reads `/metrics` of the nodes now and then, by their admin addresses. */
export class NodeSampler {
  readonly #nodes: readonly Node[];
  readonly #nowMs: () => number;

  /** @param urls admin addresses, one per validator; none at all is no mistake @param nowMs since the begin of the run */
  constructor(urls: readonly string[], nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#nodes = urls.map((url, index) => ({
      name: `validator${index}`,
      url,
      last: null,
      samples: [],
      mempoolFill: 0,
      diskSyncSeconds: 0,
      errorLines: null,
      underWay: null,
    }));
  }

  async sample(): Promise<void> {
    // An answer that comes after a newer one would look like another process.
    await Promise.all(
      this.#nodes.map(
        (node) =>
          (node.underWay ??= this.#sample(node).finally(() => {
            node.underWay = null;
          })),
      ),
    );
  }

  get samples(): Samples {
    return this.#nodes.map(({ name, samples }) => ({ name, samples }));
  }

  /**
   * Lines that each node logged at level error from the first sample to the newest one, over all parts of the run and all processes of the node; null
   * where it does not tell. What a process logs after its last sample is not among them.
   */
  get errorLines(): readonly { readonly name: string; readonly lines: number | null }[] {
    return this.#nodes.map(({ name, errorLines }) => ({ name, lines: errorLines }));
  }

  /** Over all samples so far, the thread or device that was busiest; null without samples. */
  busiest(): Busiest | null {
    const found = this.#nodes.flatMap(({ name, samples, mempoolFill, diskSyncSeconds }): Busiest[] => {
      if (samples.length === 0) return [];
      const threads = new Set(samples.flatMap(({ cpu }) => Object.keys(cpu)));
      const mean = (thread: string): number =>
        samples.reduce((sum, { cpu }) => sum + (cpu[thread] ?? 0), 0) / samples.length;
      const seconds = Math.max(1, (samples.at(-1)!.atMs - samples[0]!.atMs) / 1000);
      return [
        ...[...threads].map((thread) => ({ node: name, what: `thread ${thread}`, share: mean(thread) })),
        { node: name, what: 'disk', share: diskSyncSeconds / seconds },
        { node: name, what: 'mempool', share: mempoolFill },
      ];
    });
    return found.reduce<Busiest | null>((best, each) => (best === null || each.share > best.share ? each : best), null);
  }

  /** Forgets what nodes took: another part of the run begins. */
  restart(): void {
    for (const node of this.#nodes) Object.assign(node, { samples: [], mempoolFill: 0, diskSyncSeconds: 0 });
  }

  async #sample(node: Node): Promise<void> {
    const metrics = await readMetrics(node.url);
    if (metrics === null) return;
    const atMs = this.#nowMs();
    const { last } = node;
    node.last = { atMs, metrics };
    node.mempoolFill = Math.max(node.mempoolFill, metrics.mempoolFill);
    if (last === null) return;
    const isOther = isOtherProcess(last.metrics, metrics);
    const errorsBefore = isOther ? 0 : last.metrics.errorLines;
    if (metrics.errorLines !== null && errorsBefore !== null)
      node.errorLines = (node.errorLines ?? 0) + metrics.errorLines - errorsBefore;
    // There is nothing to take the other differences from.
    if (isOther) return;
    const seconds = (atMs - last.atMs) / 1000;
    node.diskSyncSeconds += metrics.diskSyncSeconds - last.metrics.diskSyncSeconds;
    const cpu = Object.fromEntries(
      Object.entries(metrics.cpuSeconds).map(([thread, value]) => [
        thread,
        (value - (last.metrics.cpuSeconds[thread] ?? value)) / seconds,
      ]),
    );
    node.samples.push({ atMs, cpu, rssBytes: metrics.rssBytes, diskBytes: metrics.homeBytes, head: metrics.head });
  }
}

/** What only grows while a process lives has become less. A thread that is left out is part of the rest, so that the sum says it and no summand does. */
function isOtherProcess(before: Metrics, now: Metrics): boolean {
  const seconds = ({ cpuSeconds }: Metrics): number => Object.values(cpuSeconds).reduce((sum, each) => sum + each, 0);
  return seconds(now) < seconds(before) || (now.errorLines ?? 0) < (before.errorLines ?? 0);
}

async function readMetrics(url: string): Promise<Metrics | null> {
  try {
    const answer = await fetch(`${url.replace(/\/$/, '')}/metrics`, { signal: AbortSignal.timeout(answerMs) });
    return answer.ok ? parseMetrics(await answer.text()) : null;
  } catch {
    return null;
  }
}
