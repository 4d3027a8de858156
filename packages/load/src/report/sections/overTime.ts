import {
  type Column,
  figure,
  html,
  type Html,
  numberColumn,
  plural,
  type Section,
  table,
  textColumn,
  value,
} from '../figures.ts';
import { type Band, type RunReport, type SeriesPoint, whyWithheld } from '../runReport.ts';
import { line, points, type TimeChart, timeChart } from '../timeline.ts';

/** A chart over the steps of a run, or over times of its own, and what is to be seen in it. */
interface Curve extends Omit<TimeChart, 'atMs'> {
  readonly atMs?: readonly number[];
  readonly words: string;
}

/** Curves over the time of the run. Those of throughput and latency are left out where they must not be shown. */
export function overTimeSection(report: RunReport): Section {
  const withheld = whyWithheld(report).length > 0;
  const curves = [...(withheld ? [] : [throughput, latency]), errorsOverTime, heads, intervals];
  const shown = curves
    .map((of) => of(report))
    .map(({ words, ...curve }) => ({ words, chart: timeChart(report, { atMs: eachStep(report, 'atMs'), ...curve }) }))
    .filter(({ chart }) => chart.xs.length > 0);
  const body = html`
<p class="note">Drag over a chart to see a part of it; a double click or Escape shows all again. With the keyboard, arrow keys move the cursor.</p>
${bandKey(report)}
${shown.map(({ chart, words }) => figure(chart, words))}
${bandTable(report, withheld)}`;
  return { id: 'time', title: 'Over time', body, charts: shown.map(({ chart }) => chart) };
}

/** A day has more blocks than a function takes arguments. */
const highestOf = (values: readonly number[], least = 0): number =>
  values.reduce((highest, one) => Math.max(highest, one), least);
/** One field of all steps. */
const eachStep = <Name extends keyof SeriesPoint>({ series }: RunReport, name: Name): SeriesPoint[Name][] =>
  series.points.map((step) => step[name]);

function throughput(report: RunReport): Curve {
  const perSecond = (name: 'scheduled' | 'acknowledged' | 'committed'): number[] =>
    eachStep(report, name).map((count) => (1000 * count) / report.series.stepMs);
  return {
    id: 'throughput',
    title: 'Throughput',
    label: 'operations a second',
    quantity: 'rate',
    series: [
      line('asked', 0, perSecond('scheduled')),
      line('acknowledged', 1, perSecond('acknowledged')),
      line('committed', 2, perSecond('committed')),
    ],
    words:
      'Operations that were due, that the nodes acknowledged, and that are in blocks. Where the lines part, the network falls behind.',
  };
}

/** From this ratio of the highest to the middle on, a linear axis would show a line at zero and a peak. */
const logFrom = 40;

function latency(report: RunReport): Curve {
  const [p50, p99] = [eachStep(report, 'p50Ms'), eachStep(report, 'p99Ms')];
  const highest = highestOf(p99.map((ms) => ms ?? 0));
  const medians = p50.flatMap((ms) => ms ?? []).toSorted((a, b) => a - b);
  const middle = medians[Math.floor(medians.length / 2)] ?? 0;
  return {
    id: 'latency',
    title: 'Latency',
    label: 'until acknowledged',
    quantity: 'ms',
    log: middle > 0 && highest / middle > logFrom,
    series: [line('p99', 3, p99, 'max'), line('p50', 1, p50)],
    words:
      'From when an operation was due until it was acknowledged: half were faster than p50, one of a hundred was slower than p99.',
  };
}

const errorsOverTime = (report: RunReport): Curve => ({
  id: 'errors-over-time',
  title: 'Errors',
  label: 'errors in each step',
  quantity: 'count',
  series: [line('errors', 3, eachStep(report, 'errors'), 'max')],
  words: 'Operations that were refused, or that were left without an answer.',
});

function heads(report: RunReport): Curve {
  const { firstHeight, validators } = report.network;
  const last = eachStep(report, 'head').findLast((head) => head !== null) ?? null;
  return {
    id: 'answering',
    title: 'Validators that answer',
    label: 'validators',
    quantity: 'count',
    series: [line('answering', 1, eachStep(report, 'answering'))],
    words: `Of ${plural(validators.length, 'validator')}. The chain went from block ${firstHeight} to ${last === null ? 'no block that was seen' : `block ${last}`}.`,
  };
}

function intervals({ blocks }: RunReport): Curve {
  const lengths = blocks.map(({ intervalMs }) => intervalMs);
  const shown = lengths.map((ms) => Math.max(1, ms));
  return {
    id: 'intervals',
    title: 'Block interval',
    label: 'since the block before',
    quantity: 'ms',
    log: true,
    atMs: blocks.map(({ atMs }) => atMs),
    series: [{ ...points('interval', 4, shown), reduce: 'max' }],
    words: `Each point is one of ${plural(blocks.length, 'block')}; a gap is a chain that stood still. The longest interval was ${value(highestOf(lengths), 'ms')}.`,
  };
}

const bandKey = ({ bands }: RunReport): Html | null =>
  bands.length === 0
    ? null
    : html`<p class="key"><span><i class="swatch stage"></i> stage of the load</span><span><i class="swatch fault"></i> fault</span><span><i class="swatch recovery"></i> until all validators were back</span></p>`;

/** A stage or a fault, with the steps that lie in it. */
interface Part {
  readonly band: Band;
  readonly steps: readonly SeriesPoint[];
}

/** What each part of the run was for the clients. */
function bandTable({ bands, series }: RunReport, withheld: boolean): Html | null {
  if (bands.length === 0) return null;
  const parts = bands.map((band): Part => {
    const steps = series.points.filter(({ atMs }) => atMs >= band.fromMs && atMs < band.toMs);
    return { band, steps };
  });
  const ofClients: readonly Column<Part>[] = [
    numberColumn('Acknowledged of due', 'share', ({ steps }) => {
      const due = sum(steps, 'scheduled');
      return due === 0 ? null : sum(steps, 'acknowledged') / due;
    }),
    numberColumn('Highest p99 of a step', 'ms', ({ steps }) =>
      steps.length === 0 ? null : highestOf(steps.map(({ p99Ms }) => p99Ms ?? 0)),
    ),
  ];
  return html`<h3>Stages and faults</h3>${table('What clients saw in each part of the run', parts, [
    textColumn('Part', ({ band }) => band.name),
    textColumn('Kind', ({ band }) => band.kind),
    numberColumn('From', 'seconds', ({ band }) => band.fromMs / 1000),
    numberColumn('To', 'seconds', ({ band }) => band.toMs / 1000),
    { head: 'Time to recover', align: 'number', cell: ({ band }) => recovery(band) },
    numberColumn('Errors meanwhile', 'count', ({ steps }) => sum(steps, 'errors')),
    ...(withheld ? [] : ofClients),
    numberColumn('Validators that answered, least', 'count', ({ steps }) =>
      steps.length === 0 ? null : steps.reduce((least, step) => Math.min(least, step.answering), Infinity),
    ),
  ])}`;
}

const recovery = ({ kind, recoveryMs }: Band): string => {
  if (kind === 'stage') return '–';
  return recoveryMs === null ? 'never' : value(recoveryMs, 'ms');
};
const sum = (steps: readonly SeriesPoint[], name: 'errors' | 'scheduled' | 'acknowledged'): number =>
  steps.reduce((total, step) => total + step[name], 0);
