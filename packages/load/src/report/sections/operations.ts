import { bar, numberColumn, type Section, table, textColumn, value } from '../figures.ts';
import { html, type Html } from '../html.ts';
import type { RunReport } from '../runReport.ts';
import { whyWithheld } from '../withheld.ts';

/** What became of operations, by kind, and what the nodes refused them with. */
export function operationsSection(report: RunReport): Section {
  const withheld = whyWithheld(report).length > 0;
  const body = html`${kindTable(report, withheld)}${errorTable(report)}`;
  return { id: 'operations', title: 'Operations', body, charts: [] };
}

/** Where figures are withheld, acknowledged and committed ones are too: divided by the time of the run they would be throughput. */
function kindTable({ kinds, totals }: RunReport, withheld: boolean): Html {
  const counted = withheld
    ? (['scheduled', 'sent', 'failed', 'refused', 'unknown', 'late'] as const)
    : (['scheduled', 'sent', 'acknowledged', 'committed', 'failed', 'refused', 'unknown', 'late'] as const);
  const latencies = withheld ? [] : ['acknowledged p50', 'p99', 'visible p50', 'p99'].map(numberColumn);
  const rows = kinds.map(({ kind, counts, acknowledged, visible }) => [
    kind,
    ...counted.map((name) => value(counts[name], 'count')),
    ...(withheld
      ? []
      : [acknowledged.p50Ms, acknowledged.p99Ms, visible?.p50Ms ?? null, visible?.p99Ms ?? null].map((ms) =>
          value(ms, 'ms'),
        )),
  ]);
  const all = ['all', ...counted.map((name) => value(totals[name], 'count')), ...latencies.map(() => '')];
  return table(
    'Operations by kind',
    [textColumn('Kind'), ...counted.map(numberColumn), ...latencies],
    kinds.length > 1 ? [...rows, all] : rows,
  );
}

function errorTable({ errors }: RunReport): Html {
  if (errors.length === 0)
    return html`<h3>Errors</h3><p>No operation was refused, and none was left without an answer.</p>`;
  const most = Math.max(...errors.map(({ count }) => count), 1);
  return html`
<h3>Errors</h3>
${table(
  'Errors by code, most frequent first',
  [
    textColumn('Code'),
    textColumn('Words'),
    numberColumn('Count'),
    textColumn('Beside the most frequent'),
    textColumn('One of them'),
  ],
  errors
    .toSorted((a, b) => b.count - a.count)
    .map(({ code, words, count, example }) => [
      code === 0 ? 'none' : String(code),
      words,
      value(count, 'count'),
      bar(0, count / most),
      example,
    ]),
)}`;
}
