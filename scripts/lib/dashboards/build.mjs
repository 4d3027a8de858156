/** Dashboards of Grafana out of short tables: what each panel asks for, in which unit, and what it is there to tell. */
import {
  DashboardBuilder,
  DashboardCursorSync,
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  RowBuilder,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TimeseriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import {
  BytesSI,
  BytesPerSecondSI,
  DateTimeFromNow,
  OpsPerSecond,
  PercentUnit,
  Seconds,
  Short,
} from '@grafana/grafana-foundation-sdk/units';

export const units = {
  bytes: BytesSI,
  bytesPerSecond: BytesPerSecondSI,
  fromNow: DateTimeFromNow,
  perSecond: OpsPerSecond,
  ratio: PercentUnit,
  seconds: Seconds,
  count: Short,
};

/** Which nodes: what people choose at the top of a dashboard. `{@}` and `{@,x="y"}` stand for it in the tables. */
const chosen = 'job=~"$job",instance=~"$instance"';
const expressionOf = (text) => text.replaceAll('@', chosen);

/** Rate of a counter. */
export const rate = (metric) => `rate(${metric}{@}[$__rate_interval])`;

/** Time below which a share of what a histogram counted is. @param by labels that are kept beside the instance */
export const quantile = (share, metric, ...by) =>
  `histogram_quantile(${share}, sum by (${['instance', ...by, 'le'].join(', ')}) (rate(${metric}_bucket{@}[$__rate_interval])))`;

/** Mean of what a histogram counted. */
export const mean = (metric) =>
  `rate(${metric}_sum{@}[$__rate_interval]) / (rate(${metric}_count{@}[$__rate_interval]) > 0)`;

const datasource = { type: 'prometheus', uid: '${datasource}' };

function panelOf({ title, words, unit = units.count, stat = false, targets, max }) {
  const panel = (stat ? new StatBuilder() : new TimeseriesBuilder())
    .title(title)
    .description(words)
    .datasource(datasource)
    .unit(unit)
    .height(8)
    .span(8);
  if (max !== undefined) panel.min(0).max(max);
  for (const [legend, expression] of Object.entries(targets))
    panel.withTarget(
      new DataqueryBuilder().datasource(datasource).expr(expressionOf(expression)).legendFormat(legend).range(),
    );
  return panel;
}

const jobs = new QueryVariableBuilder('job')
  .label('Job')
  .datasource(datasource)
  .query('label_values(prime_build_info, job)')
  .refresh(VariableRefresh.OnTimeRangeChanged)
  .sort(VariableSort.AlphabeticalAsc)
  .multi(true)
  .includeAll(true)
  .allValue('.*');
const instances = new QueryVariableBuilder('instance')
  .label('Node')
  .datasource(datasource)
  .query('label_values(prime_build_info{job=~"$job"}, instance)')
  .refresh(VariableRefresh.OnTimeRangeChanged)
  .sort(VariableSort.AlphabeticalAsc)
  .multi(true)
  .includeAll(true)
  .allValue('.*');

/**
 * @param rows title to panels
 * @returns the JSON of a dashboard, as Grafana provisions it
 */
export function dashboard({ uid, title, words, rows }) {
  const builder = new DashboardBuilder(`Prime / ${title}`)
    .uid(uid)
    .description(words)
    .tags(['prime'])
    .timezone('browser')
    .refresh('10s')
    .time({ from: 'now-1h', to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .withVariable(new DatasourceVariableBuilder('datasource').label('Prometheus').type('prometheus'))
    .withVariable(jobs)
    .withVariable(instances);
  let nextId = 1;
  for (const [name, panels] of Object.entries(rows)) {
    builder.withRow(new RowBuilder(name).id(nextId++));
    for (const panel of panels) builder.withPanel(panelOf(panel).id(nextId++));
  }
  return `${JSON.stringify(builder.build(), null, 2)}\n`;
}
