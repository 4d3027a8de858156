import { bar, type Column, html, type Html, numberColumn, type Section, table, textColumn, value } from '../figures.ts';
import { type RunReport, whyWithheld } from '../runReport.ts';

/** What became of operations, by kind, and what the nodes refused them with. */
export function operationsSection(report: RunReport): Section {
  const withheld = whyWithheld(report).length > 0;
  const body = html`${kindTable(report, withheld)}${errorTable(report)}`;
  return { id: 'operations', title: 'Operations', body, charts: [] };
}

type Kind = RunReport['kinds'][number];
/** A kind, or all of them together, whose latencies nobody tells. */
type Row = Kind | Pick<Kind, 'kind' | 'counts'>;

/** Where figures are withheld, acknowledged and committed ones are too: divided by the time of the run they would be throughput. */
function kindTable({ kinds, totals }: RunReport, withheld: boolean): Html {
  const counted = withheld
    ? (['scheduled', 'sent', 'failed', 'refused', 'unknown', 'late'] as const)
    : (['scheduled', 'sent', 'acknowledged', 'committed', 'failed', 'refused', 'unknown', 'late'] as const);
  const latencyColumns: Column<Row>[] = (
    [
      ['acknowledged p50', 'acknowledged', 'p50Ms'],
      ['p99', 'acknowledged', 'p99Ms'],
      ['visible p50', 'visible', 'p50Ms'],
      ['p99', 'visible', 'p99Ms'],
    ] as const
  ).map(([head, until, of]) => ({
    head,
    align: 'number',
    cell: (row) => ('acknowledged' in row ? value(row[until]?.[of] ?? null, 'ms') : ''),
  }));
  return table<Row>('Operations by kind', kinds.length > 1 ? [...kinds, { kind: 'all', counts: totals }] : kinds, [
    textColumn('Kind', ({ kind }) => kind),
    ...counted.map((name) => numberColumn<Row>(name, 'count', ({ counts }) => counts[name])),
    ...(withheld ? [] : latencyColumns),
  ]);
}

function errorTable({ errors }: RunReport): Html {
  if (errors.length === 0)
    return html`<h3>Errors</h3><p>No operation was refused, and none was left without an answer.</p>`;
  const most = Math.max(...errors.map(({ count }) => count), 1);
  return html`
<h3>Errors</h3>
${table(
  'Errors by code, most frequent first',
  errors.toSorted((a, b) => b.count - a.count),
  [
    textColumn('Code', ({ code }) => (code === 0 ? 'none' : String(code))),
    textColumn('Words', ({ words }) => words),
    numberColumn('Count', 'count', ({ count }) => count),
    textColumn('Beside the most frequent', ({ count }) => bar(0, count / most)),
    textColumn('One of them', ({ example }) => example),
  ],
)}`;
}
