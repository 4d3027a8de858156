import { LatencyHistogram } from '../../histogram.ts';
import { html, type Html, numberColumn, type Section, table, textColumn, tile, tiles, value } from '../figures.ts';
import { lateMs, type RunReport } from '../runReport.ts';

/** Whether what was measured is the network and not the generator. */
export function generatorSection(report: RunReport): Section {
  const { generator, totals, histograms } = report;
  const late = LatencyHistogram.decode(histograms.late).percentiles();
  const share = totals.scheduled === 0 ? 0 : totals.late / totals.scheduled;
  const body = html`
<p>${generator.unfit === null ? 'The generator kept up: what was measured is the network.' : `The generator did not keep up: ${generator.unfit}.`}</p>
${tiles([
  tile('Behind its time, p50', value(late.p50Ms, 'ms')),
  tile('Behind its time, p99', value(late.p99Ms, 'ms')),
  tile('Behind its time, most', value(late.maxMs, 'ms')),
  tile(`More than ${lateMs} ms late`, value(share, 'share'), `${value(totals.late, 'count')} operations`),
])}
${table('Workers of the generator', generator.workers, [
  textColumn('Worker', ({ name }) => name),
  numberColumn('cores', 'cores', ({ cpuShare }) => cpuShare),
  numberColumn('sent', 'count', ({ sent }) => sent),
  numberColumn('most behind its time', 'ms', ({ latestMs }) => latestMs),
  textColumn('Ended early', ({ died }) => died ?? 'no'),
])}
${clocks(report)}`;
  return { id: 'generator', title: 'Generator', body, charts: [] };
}

const clocks = ({ stages }: RunReport): Html | null =>
  stages === null || stages.clocks.length === 0
    ? null
    : html`
<h3>Clocks</h3>
${table("How far each validator's clock is ahead of the generator's", stages.clocks, [
  textColumn('Validator', ({ validator }) => validator),
  numberColumn('Ahead by', 'ms', ({ offsetMs }) => offsetMs),
  { head: 'Exact to', align: 'number', cell: ({ errorMs }) => `± ${value(errorMs, 'ms')}` },
])}`;
