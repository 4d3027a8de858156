import { type CurvePoint, LatencyHistogram } from '../../histogram.ts';
import type { Chart } from '../chart.ts';
import { bar, figure, html, type Html, numberColumn, type Section, table, textColumn } from '../figures.ts';
import type { RunReport } from '../runReport.ts';
import { line } from '../timeline.ts';

/** Latency of the whole run: the curve of all percentiles, and where the time goes. */
export function latencySection(report: RunReport): Section {
  const [acknowledged, visible] = [
    LatencyHistogram.decode(report.histograms.acknowledged),
    LatencyHistogram.decode(report.histograms.visible),
  ];
  const chart = percentileChart(acknowledged, visible);
  const rows = [
    ['until acknowledged', acknowledged],
    ['until visible', visible],
  ] as const;
  const body = html`
${report.knee === null ? null : html`<p class="note">Of all trials of the search together, those beyond the knee too.</p>`}
${figure(chart, 'How long the slowest operations took. Each step to the right is ten times as rare: 99.9 % is one operation of a thousand.')}
${table(
  'Percentiles of the whole run, from when operations were due',
  rows.flatMap(([name, histogram]) => (histogram.count > 0 ? [{ name, ...histogram.percentiles() }] : [])),
  [
    textColumn('Latency', ({ name }) => name),
    numberColumn('operations', 'count', ({ count }) => count),
    numberColumn('mean', 'ms', ({ meanMs }) => meanMs),
    numberColumn('p50', 'ms', ({ p50Ms }) => p50Ms),
    numberColumn('p90', 'ms', ({ p90Ms }) => p90Ms),
    numberColumn('p99', 'ms', ({ p99Ms }) => p99Ms),
    numberColumn('p99.9', 'ms', ({ p999Ms }) => p999Ms),
    numberColumn('max', 'ms', ({ maxMs }) => maxMs),
  ],
)}
${report.stages === null ? html`<p class="note">The nodes told nothing of the stages of an operation. They do when they are asked to: see the harness's manual.</p>` : waterfall(report.stages)}`;
  return { id: 'latency-section', title: 'Latency', body, charts: [chart] };
}

function percentileChart(acknowledged: LatencyHistogram, visible: LatencyHistogram): Chart {
  const curves = [acknowledged.curve(), visible.curve()] as const;
  const longest = curves[0].length >= curves[1].length ? curves[0] : curves[1];
  // Both begin at 0 and go on in the same steps.
  const values = (curve: readonly CurvePoint[]): (number | null)[] =>
    longest.map((_, index) => (curve[index] === undefined ? null : Math.max(0.001, curve[index].ms)));
  return {
    id: 'percentiles',
    title: 'Percentiles',
    x: { label: 'percentile', quantity: 'percentile', log: true },
    y: { label: 'latency', quantity: 'ms', log: true },
    xs: longest.map(({ percentile }) => 100 / (100 - percentile)),
    series: [
      line('until acknowledged', 1, values(curves[0]), 'last'),
      ...(visible.count === 0 ? [] : [line('until visible', 2, values(curves[1]), 'last')]),
    ],
    bands: [],
  };
}

function waterfall({ rows: stages }: NonNullable<RunReport['stages']>): Html {
  let sum = 0;
  const rows = stages.map(({ stage, latency }) => {
    const start = sum;
    sum += latency.p50Ms;
    return { stage, start, latency };
  });
  const end = Math.max(...rows.map(({ start, latency }) => start + latency.p90Ms), 0.001);
  return html`
<h3>Where the time goes</h3>
<p>Each bar is one stage of an operation's life and as long as its median; the thin end reaches to its p90. Bars follow each other as stages do.</p>
${table('Stages of an operation, from when it was due to when a subscriber has it', rows, [
  textColumn('Stage', ({ stage }) => stage),
  textColumn('In turn', ({ start, latency }) =>
    bar(start / end, (start + latency.p50Ms) / end, (start + latency.p90Ms) / end),
  ),
  numberColumn('share of medians', 'share', ({ latency }) => (sum === 0 ? 0 : latency.p50Ms / sum)),
  numberColumn('p50', 'ms', ({ latency }) => latency.p50Ms),
  numberColumn('p90', 'ms', ({ latency }) => latency.p90Ms),
  numberColumn('p99', 'ms', ({ latency }) => latency.p99Ms),
  numberColumn('max', 'ms', ({ latency }) => latency.maxMs),
  numberColumn('operations', 'count', ({ latency }) => latency.count),
])}
<p class="note">Medians of stages do not add up to the median of the whole: no operation is in the middle in all of them. Stages between two machines are as exact as their clocks, which stand below.</p>`;
}
