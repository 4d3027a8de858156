import { figure, numberColumn, plural, type Section, table, textColumn, value } from '../figures.ts';
import { html, type Html } from '../html.ts';
import type { Band, RunReport, SeriesPoint } from '../runReport.ts';
import { line, points, timeChart } from '../timeline.ts';
import { whyWithheld } from '../withheld.ts';

/** Curves over the time of the run. Those of throughput and latency are left out where they must not be shown. */
export function overTimeSection(report: RunReport): Section {
  const withheld = whyWithheld(report).length > 0;
  const shown = [
    ...(withheld ? [] : [throughput(report), latency(report)]),
    errorsOverTime(report),
    heads(report),
    intervals(report),
  ].filter(({ chart }) => chart.xs.length > 0);
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
const timesOf = ({ series }: RunReport): number[] => series.points.map(({ atMs }) => atMs);

function throughput(report: RunReport) {
  const { stepMs, points: steps } = report.series;
  const perSecond = (name: 'scheduled' | 'acknowledged' | 'committed'): number[] =>
    steps.map((step) => (1000 * step[name]) / stepMs);
  const chart = timeChart(report, {
    id: 'throughput',
    title: 'Throughput',
    label: 'operations a second',
    quantity: 'rate',
    atMs: timesOf(report),
    series: [
      line('asked', 0, perSecond('scheduled')),
      line('acknowledged', 1, perSecond('acknowledged')),
      line('committed', 2, perSecond('committed')),
    ],
  });
  return {
    chart,
    words:
      'Operations that were due, that the nodes acknowledged, and that are in blocks. Where the lines part, the network falls behind.',
  };
}

/** From this ratio of the highest to the middle on, a linear axis would show a line at zero and a peak. */
const logFrom = 40;

function latency(report: RunReport) {
  const steps = report.series.points;
  const highest = highestOf(steps.map(({ p99Ms }) => p99Ms ?? 0));
  const medians = steps.flatMap(({ p50Ms }) => p50Ms ?? []).toSorted((a, b) => a - b);
  const middle = medians[Math.floor(medians.length / 2)] ?? 0;
  const chart = timeChart(report, {
    id: 'latency',
    title: 'Latency',
    label: 'until acknowledged',
    quantity: 'ms',
    log: middle > 0 && highest / middle > logFrom,
    atMs: timesOf(report),
    series: [
      line(
        'p99',
        3,
        steps.map(({ p99Ms }) => p99Ms),
        'max',
      ),
      line(
        'p50',
        1,
        steps.map(({ p50Ms }) => p50Ms),
      ),
    ],
  });
  return {
    chart,
    words:
      'From when an operation was due until it was acknowledged: half were faster than p50, one of a hundred was slower than p99.',
  };
}

function errorsOverTime(report: RunReport) {
  const chart = timeChart(report, {
    id: 'errors-over-time',
    title: 'Errors',
    label: 'errors in each step',
    quantity: 'count',
    atMs: timesOf(report),
    series: [
      line(
        'errors',
        3,
        report.series.points.map(({ errors }) => errors),
        'max',
      ),
    ],
  });
  return { chart, words: 'Operations that were refused, or that were left without an answer.' };
}

function heads(report: RunReport) {
  const steps = report.series.points;
  const first = report.network.firstHeight;
  const chart = timeChart(report, {
    id: 'answering',
    title: 'Validators that answer',
    label: 'validators',
    quantity: 'count',
    atMs: timesOf(report),
    series: [
      line(
        'answering',
        1,
        steps.map(({ answering }) => answering),
      ),
    ],
  });
  const last = steps.findLast(({ head }) => head !== null)?.head ?? null;
  return {
    chart,
    words: `Of ${plural(report.network.validators.length, 'validator')}. The chain went from block ${first} to ${last === null ? 'no block that was seen' : `block ${last}`}.`,
  };
}

function intervals(report: RunReport) {
  const { blocks } = report;
  const chart = timeChart(report, {
    id: 'intervals',
    title: 'Block interval',
    label: 'since the block before',
    quantity: 'ms',
    log: true,
    atMs: blocks.map(({ atMs }) => atMs),
    series: [
      {
        ...points(
          'interval',
          4,
          blocks.map(({ intervalMs }) => Math.max(1, intervalMs)),
        ),
        reduce: 'max',
      },
    ],
  });
  const longest = highestOf(blocks.map(({ intervalMs }) => intervalMs));
  return {
    chart,
    words: `Each point is one of ${plural(blocks.length, 'block')}; a gap is a chain that stood still. The longest interval was ${value(longest, 'ms')}.`,
  };
}

const bandKey = ({ bands }: RunReport): Html | null =>
  bands.length === 0
    ? null
    : html`<p class="key"><span><i class="swatch stage"></i> stage of the load</span><span><i class="swatch fault"></i> fault</span><span><i class="swatch recovery"></i> until all validators were back</span></p>`;

/** What each part of the run was for the clients. */
function bandTable(report: RunReport, withheld: boolean): Html | null {
  if (report.bands.length === 0) return null;
  const columns = [
    textColumn('Part'),
    textColumn('Kind'),
    numberColumn('From'),
    numberColumn('To'),
    numberColumn('Time to recover'),
    numberColumn('Errors meanwhile'),
    ...(withheld ? [] : [numberColumn('Acknowledged of due'), numberColumn('Highest p99 of a step')]),
    numberColumn('Validators that answered, least'),
  ];
  const rows = report.bands.map((band) => {
    const inside = report.series.points.filter(({ atMs }) => atMs >= band.fromMs && atMs < band.toMs);
    return [
      band.name,
      band.kind,
      value(band.fromMs / 1000, 'seconds'),
      value(band.toMs / 1000, 'seconds'),
      recovery(band),
      value(sum(inside, 'errors'), 'count'),
      ...(withheld ? [] : [acknowledgedShare(inside), worst(inside)]),
      inside.length === 0
        ? '–'
        : value(
            -highestOf(
              inside.map(({ answering }) => -answering),
              Number.NEGATIVE_INFINITY,
            ),
            'count',
          ),
    ];
  });
  return html`<h3>Stages and faults</h3>${table('What clients saw in each part of the run', columns, rows)}`;
}

const recovery = ({ kind, recoveryMs }: Band): string => {
  if (kind === 'stage') return '–';
  return recoveryMs === null ? 'never' : value(recoveryMs, 'ms');
};
const sum = (steps: readonly SeriesPoint[], name: 'errors' | 'scheduled' | 'acknowledged'): number =>
  steps.reduce((total, step) => total + step[name], 0);
function acknowledgedShare(steps: readonly SeriesPoint[]): string {
  const due = sum(steps, 'scheduled');
  return due === 0 ? '–' : value(sum(steps, 'acknowledged') / due, 'share');
}
const worst = (steps: readonly SeriesPoint[]): string => {
  return steps.length === 0 ? '–' : value(highestOf(steps.map(({ p99Ms }) => p99Ms ?? 0)), 'ms');
};
