import type { LatencyHistogram } from '../../histogram.ts';
import type { Counts, Percentiles } from '../../report/runReport.ts';
import type { MemberSummary } from '../worker/crew.ts';
import { sumOf } from './recorder.ts';

/** What is told each second while a run goes on. */
export interface Progress {
  /** ms since the begin of the run. */
  readonly atMs: number;
  /** Of the last whole second. */
  readonly counts: Counts;
  readonly latency: Percentiles;
  /** Requests that were refused or lost, by code of JSON-RPC; 0 for those without an answer. */
  readonly errors: ReadonlyMap<number, number>;
  /** Of the run so far. */
  readonly scheduled: number;
  readonly committed: number;
  readonly errorTotals: ReadonlyMap<number, number>;
  /** From due to acknowledged. */
  readonly acknowledged: Pick<LatencyHistogram, 'count' | 'values' | 'percentiles'>;
  readonly workers: readonly Omit<MemberSummary, 'latestMs'>[];
  /** Acknowledged and in no block yet. */
  readonly open: number;
  readonly head: number;
  readonly answering: number;
  readonly nodes: number;
}

/** One line, as plain output has it each second and a terminal all the time. */
export function progressLine(progress: Progress): string {
  const { atMs, counts, latency, errors, open, head, answering, nodes } = progress;
  const seconds = `${String(Math.floor(atMs / 1000)).padStart(5)} s`;
  const rates = `asked ${counts.scheduled}/s  acknowledged ${counts.acknowledged}/s  in blocks ${counts.committed}/s`;
  const times = latency.count === 0 ? 'p50 -  p99 -' : `p50 ${words(latency.p50Ms)}  p99 ${words(latency.p99Ms)}`;
  return `${seconds}  ${rates}  ${times}  errors ${errorWords(errors)}  open ${open}  head ${head}  ${answering} of ${nodes} answer`;
}

function errorWords(errors: ReadonlyMap<number, number>): string {
  if (errors.size === 0) return '0';
  return [...errors].map(([code, count]) => `${count} (${code === 0 ? 'lost' : code})`).join(' ');
}

const words = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${ms.toFixed(0)} ms`);

/** The same in the text format of Prometheus, for the harness's own `/metrics`. */
export function progressMetrics(progress: Progress): string {
  const { counts, latency, errors, scheduled, committed, open, head, answering, workers } = progress;
  const single: readonly (readonly [name: string, help: string, value: number])[] = [
    ['prime_load_scheduled_total', 'Operations that became due.', scheduled],
    ['prime_load_committed_total', 'Operations that were found in blocks.', committed],
    ['prime_load_asked_per_second', 'Operations that became due in the last second.', counts.scheduled],
    [
      'prime_load_acknowledged_per_second',
      'Operations that nodes acknowledged in the last second.',
      counts.acknowledged,
    ],
    ['prime_load_errors_per_second', 'Requests that were refused or lost in the last second.', sumOf(errors)],
    ['prime_load_late_per_second', 'Operations that were sent late in the last second.', counts.late],
    ['prime_load_latency_p50_seconds', 'From due to acknowledged, of the last second.', latency.p50Ms / 1000],
    ['prime_load_latency_p99_seconds', 'From due to acknowledged, of the last second.', latency.p99Ms / 1000],
    ['prime_load_open', 'Operations that were acknowledged and are in no block yet.', open],
    ['prime_load_head', 'Height of the newest block.', head],
    ['prime_load_answering', 'Nodes that answer.', answering],
    ['prime_load_workers', 'Workers that live.', workers.filter(({ died }) => died === null).length],
  ];
  return [
    ...single.map(([name, help, value]) => family(name, help, [['', value]])),
    family(
      'prime_load_errors_total',
      'Requests that were refused, by code of JSON-RPC, or lost.',
      [...progress.errorTotals].map(([code, count]) => [label('code', code === 0 ? 'lost' : `${code}`), count]),
    ),
    family(
      'prime_load_worker_sent_total',
      'Operations that a worker sent.',
      workers.map(({ name, sent }) => [label('worker', name), sent]),
    ),
    family(
      'prime_load_worker_cpu_seconds_total',
      'Processor time of a worker.',
      workers.map(({ name, cpuSeconds }) => [label('worker', name), cpuSeconds]),
    ),
    latencyFamily(progress.acknowledged),
  ].join('');
}

type Sample = readonly [labels: string, value: number];

const label = (name: string, value: string): string =>
  `{${name}="${value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"}`;

function family(name: string, help: string, samples: readonly Sample[]): string {
  const type = name.endsWith('_total') ? 'counter' : 'gauge';
  const lines = samples.map(([labels, value]) => `${name}${labels} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

/** Upper bounds of the buckets, seconds. */
const bucketSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

/** How long operations took from due to acknowledged, of the run so far. */
function latencyFamily(acknowledged: Progress['acknowledged']): string {
  const name = 'prime_load_latency_seconds';
  const counts = bucketSeconds.map(() => 0);
  for (const [ms, count] of acknowledged.values()) {
    const bucket = bucketSeconds.findIndex((seconds) => ms <= seconds * 1000);
    if (bucket >= 0) counts[bucket]! += count;
  }
  let below = 0;
  const buckets = bucketSeconds.map((seconds, index) => {
    below += counts[index]!;
    return `${name}_bucket${label('le', `${seconds}`)} ${below}\n`;
  });
  const { count } = acknowledged;
  const sum = (acknowledged.percentiles().meanMs * count) / 1000;
  return [
    `# HELP ${name} From due to acknowledged.\n# TYPE ${name} histogram\n`,
    ...buckets,
    `${name}_bucket${label('le', '+Inf')} ${count}\n${name}_sum ${sum}\n${name}_count ${count}\n`,
  ].join('');
}
