import type { Prng } from '@prime/primitives';
import { LatencyHistogram } from '../histogram.ts';
import { type Band, type Counts, lateMs, type ReportWindow, type RunReport, windowsMax } from '../report/runReport.ts';
import { gauss, logNormal, uniform } from './random.ts';
import { noCounts } from '../run/observation/recorder.ts';

/** The clients' side of a made-up run: operations that are due, sent, answered and committed, second by second. */

export interface LoadShape {
  readonly prng: Prng;
  readonly seconds: number;
  /** Operations a second while the load is held. */
  readonly rate: number;
  /** 1 for a network as usual, 2 for one that takes twice the time. */
  readonly slowness: number;
  /** The generator comes late. */
  readonly unfit: boolean;
  readonly validators: number;
  readonly faults: boolean;
}

/** Kinds of a maker's load, each with its share of all in percent. */
const shares = { 'order gtc': 44, 'order ioc': 5, 'order fok': 1, cancel: 40, modify: 10 } as const;
type Kind = keyof typeof shares;
const kinds = Object.keys(shares) as Kind[];

const stages = [
  { name: 'ramp', share: 0.15, from: 0.2, to: 1 },
  { name: 'hold', share: 0.5, from: 1, to: 1 },
  { name: 'spike', share: 0.1, from: 1.8, to: 1.8 },
  { name: 'hold again', share: 0.25, from: 1, to: 1 },
] as const;

export function syntheticBands({ seconds, faults }: Pick<LoadShape, 'seconds' | 'faults'>): Band[] {
  let fromMs = 0;
  const bands: Band[] = stages.map(({ name, share }) => {
    const toMs = fromMs + share * seconds * 1000;
    const band = { kind: 'stage' as const, name, fromMs, toMs, recoveryMs: null };
    fromMs = toMs;
    return band;
  });
  if (!faults) return bands;
  const at = (share: number): number => share * seconds * 1000;
  return [
    ...bands,
    { kind: 'fault', name: 'kill validator 3', fromMs: at(0.3), toMs: at(0.4), recoveryMs: 2350 },
    { kind: 'fault', name: 'slow link of validator 1, 80 ms', fromMs: at(0.82), toMs: at(0.9), recoveryMs: 410 },
  ];
}

class KindLoad {
  readonly counts = noCounts();
  readonly acknowledged = new LatencyHistogram();
  readonly visible = new LatencyHistogram();
}

type Point = RunReport['series']['points'][number];
export type SyntheticLoad = Pick<RunReport, 'totals' | 'kinds' | 'histograms' | 'series' | 'windows'>;

export function syntheticLoad(shape: LoadShape): SyntheticLoad {
  const loads = new Map(kinds.map((kind) => [kind, new KindLoad()]));
  const all = { acknowledged: new LatencyHistogram(), visible: new LatencyHistogram(), late: new LatencyHistogram() };
  const points: Point[] = [];
  const windows: ReportWindow[] = [];
  const secondsOfWindow = Math.ceil(shape.seconds / windowsMax);
  let window = openWindow(0);
  let level = 0;
  for (let second = 0; second < shape.seconds; second++) {
    // How busy the machine is now goes on for some seconds.
    level = 0.8 * level + 0.06 * gauss(shape.prng);
    const step = oneSecond(shape, second, level, loads);
    points.push(step.point);
    for (const name of ['acknowledged', 'visible', 'late'] as const) all[name].add(step[name]);
    window.acknowledged.add(step.acknowledged);
    window.visible.add(step.visible);
    if ((second + 1) % secondsOfWindow === 0 || second + 1 === shape.seconds) {
      windows.push(closed(window, second + 1));
      window = openWindow(second + 1);
    }
  }
  const rows = [...loads].map(([kind, load]) => ({
    kind,
    counts: load.counts,
    acknowledged: load.acknowledged.percentiles(),
    visible: load.visible.percentiles(),
  }));
  const sum = (name: keyof Counts): number => rows.reduce((total, { counts }) => total + counts[name], 0);
  const totals = Object.fromEntries(Object.keys(rows[0]!.counts).map((name) => [name, sum(name as keyof Counts)]));
  return {
    totals: totals as Counts,
    kinds: rows,
    histograms: {
      acknowledged: all.acknowledged.encode(),
      visible: all.visible.encode(),
      late: all.late.encode(),
    },
    series: { stepMs: 1000, points },
    windows,
  };
}

interface OpenWindow {
  readonly fromMs: number;
  readonly acknowledged: LatencyHistogram;
  readonly visible: LatencyHistogram;
}
const openWindow = (second: number): OpenWindow => ({
  fromMs: second * 1000,
  acknowledged: new LatencyHistogram(),
  visible: new LatencyHistogram(),
});
const closed = ({ fromMs, acknowledged, visible }: OpenWindow, second: number): ReportWindow => ({
  fromMs,
  toMs: second * 1000,
  acknowledged: acknowledged.count,
  committed: visible.count,
  acknowledgedHistogram: acknowledged.encode(),
  visibleHistogram: visible.encode(),
});

interface Second {
  readonly point: Point;
  readonly acknowledged: LatencyHistogram;
  readonly visible: LatencyHistogram;
  readonly late: LatencyHistogram;
}

/** What share of the rate of holding is due, and by how much latencies are longer than usual. */
function conditions(
  shape: LoadShape,
  second: number,
): { readonly load: number; readonly strain: number; readonly down: boolean } {
  const at = (second + 0.5) * 1000;
  const bands = syntheticBands(shape).filter(({ fromMs, toMs }) => fromMs <= at && at < toMs);
  const stage = stages.find(({ name }) => bands.some((band) => band.name === name)) ?? stages[0];
  const band = bands.find(({ kind }) => kind === 'stage');
  const inside = band === undefined ? 0 : (at - band.fromMs) / (band.toMs - band.fromMs);
  const load = stage.from + (stage.to - stage.from) * inside;
  const fault = bands.find(({ kind }) => kind === 'fault');
  return {
    load,
    strain: (fault === undefined ? 1 : 2.1) * (load > 1 ? 1.7 : 1),
    down: fault?.name.startsWith('kill') ?? false,
  };
}

function oneSecond(shape: LoadShape, second: number, level: number, loads: ReadonlyMap<Kind, KindLoad>): Second {
  const { prng } = shape;
  const { load, strain, down } = conditions(shape, second);
  const due = Math.max(0, Math.round(shape.rate * load + Math.sqrt(shape.rate * load) * gauss(prng)));
  const [acknowledged, visible, late] = [new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram()];
  let errors = 0;
  for (let operation = 0; operation < due; operation++) {
    const { counts, ...of } = loads.get(kindAt(prng.below(100)))!;
    const lateness = shape.unfit ? logNormal(prng, 180, 0.9) : logNormal(prng, 0.6, 0.5);
    late.record(lateness);
    counts.scheduled++;
    counts.sent++;
    if (lateness > lateMs) counts.late++;
    if (prng.chance(down ? 30 : 1, 1000)) {
      errors++;
      counts[down && prng.chance(1, 4) ? 'unknown' : 'refused']++;
      continue;
    }
    const factor = shape.slowness * strain * Math.exp(level);
    const answer = lateness + factor * (1.4 + logNormal(prng, 2.2, 0.6));
    // Until the next block, and then until it is executed.
    const seen = answer + factor * (60 * uniform(prng) + logNormal(prng, 38, 0.25));
    for (const histogram of [of.acknowledged, acknowledged]) histogram.record(answer);
    for (const histogram of [of.visible, visible]) histogram.record(seen);
    counts.acknowledged++;
    counts.committed++;
    if (prng.chance(1, 50)) counts.failed++;
  }
  const { p50Ms, p99Ms, count } = acknowledged.percentiles();
  const point = {
    atMs: second * 1000,
    scheduled: due,
    sent: due,
    acknowledged: count,
    committed: visible.count,
    errors,
    p50Ms: count === 0 ? null : p50Ms,
    p99Ms: count === 0 ? null : p99Ms,
    head: 42 + Math.round(second * (1000 / 110)),
    answering: shape.validators - (down ? 1 : 0),
  };
  return { point, acknowledged, visible, late };
}

function kindAt(percent: number): Kind {
  let below = 0;
  return kinds.find((kind) => percent < (below += shares[kind])) ?? kinds[0]!;
}
