import { LatencyHistogram } from '../../histogram.ts';
import {
  type Counts,
  type Percentiles,
  type ReportWindow,
  type RunReport,
  type SeriesPoint,
  windowsMax,
} from '../../report/runReport.ts';
import type { WatchedBlock } from './blockWatcher.ts';
import type { Ledger } from '../verdict/ledger.ts';
import type { KindTotals, Outcomes } from '../worker/messages.ts';

type MutableCounts = { -readonly [Name in keyof Counts]: number };
/** Of operations that nobody has seen yet. */
export const noCounts = (): MutableCounts => ({
  scheduled: 0,
  sent: 0,
  acknowledged: 0,
  committed: 0,
  failed: 0,
  refused: 0,
  unknown: 0,
  late: 0,
});

class KindRecord {
  readonly counts = noCounts();
  readonly latency = new LatencyHistogram();
}

class Step extends KindRecord {
  /** Requests that were refused or lost, by code. */
  readonly errors = new Map<number, number>();
  head: number | null = null;
  answering: number | null = null;
}

const stepMs = 1_000;

type RecordedParts = Pick<RunReport, 'totals' | 'kinds' | 'errors' | 'histograms' | 'windows' | 'series' | 'blocks'>;

/** Puts together what workers tell and what blocks show, second by second. Times are ms since the begin of the run. */
export class Recorder {
  readonly #kinds = new Map<string, KindRecord>();
  readonly #steps: Step[] = [];
  readonly #errors = new Map<string, { code: number; words: string; count: number }>();
  readonly #late = new LatencyHistogram();
  /** From due to acknowledged, of all kinds so far. */
  readonly acknowledged = new LatencyHistogram();
  readonly #blocks: RunReport['blocks'] = [];
  #lastBlock: WatchedBlock | null = null;

  outcomes({ kinds, errors, late }: Outcomes, atMs: number): void {
    const step = this.#stepAt(atMs);
    for (const totals of kinds) this.#kind(totals, step);
    for (const { code, words, count } of errors) {
      const key = `${code} ${words}`;
      const known = this.#errors.get(key);
      if (known === undefined) this.#errors.set(key, { code, words, count });
      else known.count += count;
      step.errors.set(code, (step.errors.get(code) ?? 0) + count);
    }
    this.#late.add(LatencyHistogram.decode(late));
  }

  /** @param own how many of its operations are of this run */
  block(block: WatchedBlock, own: number, atMs: number): void {
    const { height, timestampMs, transactions, actions, gasUsed } = block;
    const intervalMs = this.#lastBlock === null ? 0 : timestampMs - this.#lastBlock.timestampMs;
    this.#lastBlock = block;
    this.#blocks.push({ height, atMs, intervalMs, transactions, actions, gasUsed });
    const step = this.#stepAt(atMs);
    step.counts.committed += own;
    step.head = height;
  }

  /** Nodes that answer, now and then. */
  answering(nodes: number, atMs: number): void {
    this.#stepAt(atMs).answering = nodes;
  }

  /** Operations that became due. */
  get scheduled(): number {
    return this.#sum('scheduled');
  }

  /** Requests that were refused or lost so far, by code. */
  errorTotals(): ReadonlyMap<number, number> {
    const totals = new Map<number, number>();
    for (const { code, count } of this.#errors.values()) totals.set(code, (totals.get(code) ?? 0) + count);
    return totals;
  }

  /** Of the last whole second: what is shown while the run goes on. */
  lately(atMs: number): {
    readonly counts: Counts;
    readonly latency: Percentiles;
    readonly errors: ReadonlyMap<number, number>;
  } {
    const step = this.#steps[Math.max(0, Math.floor(atMs / stepMs) - 1)] ?? new Step();
    return { counts: step.counts, latency: step.latency.percentiles(), errors: step.errors };
  }

  /** Share of operations that the generator itself began more than so many ms late. */
  lateShare(ms: number): number {
    let late = 0;
    for (const [behindMs, count] of this.#late.values()) if (behindMs > ms) late += count;
    return this.#late.count === 0 ? 0 : late / this.#late.count;
  }

  /** @param beganMs begin of the run on the clock of the ledger @param durationMs of the time in which operations became due */
  report(ledger: Ledger, beganMs: number, durationMs: number): RecordedParts {
    for (const { kind, heights, failure } of ledger.entries) {
      if (heights.length === 0) continue;
      const { counts } = this.#of(kind);
      counts.committed++;
      if (failure !== null) counts.failed++;
    }
    const totals = noCounts();
    for (const name of Object.keys(totals) as (keyof Counts)[]) totals[name] = this.#sum(name);
    return {
      totals,
      kinds: [...this.#kinds].map(([kind, { counts, latency }]) => ({
        kind,
        counts,
        acknowledged: latency.percentiles(),
        visible: ledger.visibleByKind.get(kind)?.percentiles() ?? null,
      })),
      errors: [...this.#errors.values()].map((error) => ({ ...error, example: error.words })),
      histograms: {
        acknowledged: this.acknowledged.encode(),
        visible: ledger.visible.encode(),
        late: this.#late.encode(),
      },
      windows: this.#windows(ledger, beganMs, durationMs),
      // What comes behind the last operation that became due is no rate of anything.
      series: { stepMs, points: pointsOf(this.#steps).filter(({ atMs }) => atMs < durationMs) },
      blocks: this.#blocks,
    };
  }

  /** As many steps in each as it takes to stay below the most windows; what ends after the last one belongs to it. */
  #windows(ledger: Ledger, beganMs: number, durationMs: number): ReportWindow[] {
    const steps = Math.max(1, Math.ceil(durationMs / stepMs));
    const width = Math.ceil(steps / windowsMax);
    const windows = Array.from({ length: Math.ceil(steps / width) }, () => ({
      acknowledged: 0,
      committed: 0,
      latency: new LatencyHistogram(),
      visible: new LatencyHistogram(),
    }));
    const at = (step: number): (typeof windows)[number] =>
      windows[Math.max(0, Math.min(windows.length - 1, Math.floor(step / width)))]!;
    for (const [index, { counts, latency }] of this.#steps.entries()) {
      const window = at(index);
      window.acknowledged += counts.acknowledged;
      window.committed += counts.committed;
      window.latency.add(latency);
    }
    for (const { visibleMs, scheduledMs } of ledger.entries)
      if (visibleMs !== null && !Number.isNaN(scheduledMs))
        at((scheduledMs - beganMs) / stepMs).visible.record(visibleMs - scheduledMs);
    return windows.map(({ acknowledged, committed, latency, visible }, index) => ({
      fromMs: index * width * stepMs,
      toMs: (index + 1) * width * stepMs,
      acknowledged,
      committed,
      acknowledgedHistogram: latency.encode(),
      visibleHistogram: visible.encode(),
    }));
  }

  #kind({ kind, latency, ...counts }: KindTotals, step: Step): void {
    const record = this.#of(kind);
    for (const [name, value] of Object.entries(counts) as [Exclude<keyof KindTotals, 'kind' | 'latency'>, number][]) {
      record.counts[name] += value;
      step.counts[name] += value;
    }
    const histogram = LatencyHistogram.decode(latency);
    record.latency.add(histogram);
    this.acknowledged.add(histogram);
    step.latency.add(histogram);
  }

  #of(kind: string): KindRecord {
    let record = this.#kinds.get(kind);
    if (record === undefined) this.#kinds.set(kind, (record = new KindRecord()));
    return record;
  }

  #stepAt(atMs: number): Step {
    const index = Math.max(0, Math.floor(atMs / stepMs));
    while (this.#steps.length <= index) this.#steps.push(new Step());
    return this.#steps[index]!;
  }

  #sum(name: keyof Counts): number {
    let sum = 0;
    for (const { counts } of this.#kinds.values()) sum += counts[name];
    return sum;
  }
}

function pointsOf(steps: readonly Step[]): SeriesPoint[] {
  // The first tick comes at the end of the first step, and one that is late leaves a step without.
  let answering = steps.find((step) => step.answering !== null)?.answering ?? 0;
  return steps.map((step, index) => {
    answering = step.answering ?? answering;
    return pointOf(step, index, answering);
  });
}

function pointOf({ counts, latency, errors, head }: Step, index: number, answering: number): SeriesPoint {
  const { count, p50Ms, p99Ms } = latency.percentiles();
  const { scheduled, sent, acknowledged, committed } = counts;
  return {
    atMs: index * stepMs,
    scheduled,
    sent,
    acknowledged,
    committed,
    errors: sumOf(errors),
    p50Ms: count === 0 ? null : p50Ms,
    p99Ms: count === 0 ? null : p99Ms,
    head,
    answering,
  };
}

/** Sum of all counts. */
export const sumOf = (counts: ReadonlyMap<unknown, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
