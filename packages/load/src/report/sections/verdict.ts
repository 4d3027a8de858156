import { LatencyHistogram } from '../../histogram.ts';
import { html, type Html, plural, type Section, table, textColumn, tile, tiles, value } from '../figures.ts';
import { brokenRules, type Finding, isClean, type RunReport, whyWithheld } from '../runReport.ts';

/** What a reader has to know who reads nothing else. */
export function verdictSection(report: RunReport): Section {
  const withheld = whyWithheld(report);
  const kind = !isClean(report) ? 'failed' : report.generator.unfit === null ? 'clean' : 'unfit';
  const body = html`
<div class="verdict ${kind}">
<svg class="mark" viewBox="0 0 48 48" width="48" height="48" aria-hidden="true"><circle cx="24" cy="24" r="22"/><path d="${marks[kind]}"/></svg>
<div>
<h2 id="verdict-title">${headline(kind, report)}</h2>
<p class="lead">${lead(kind, report)}</p>
${withheld.length > 0 ? html`<p>This page shows no throughput and no latency of the network, because ${withheld.join(', and ')}. ${reasons[kind]}</p>` : null}
</div>
</div>
${withheld.length === 0 ? keyFigures(report) : null}
${accounting(report)}
${findings(report.verdict.findings)}`;
  return { id: 'verdict', title: 'Verdict', body, charts: [] };
}

type Kind = 'clean' | 'failed' | 'unfit';

const marks: Readonly<Record<Kind, string>> = {
  clean: 'M14 25l7 7 14-15',
  failed: 'M16 16l16 16M32 16L16 32',
  unfit: 'M24 12v15M24 33v2',
};

const reasons: Readonly<Record<Kind, string>> = {
  clean: '',
  failed: 'What follows is there to find out what happened.',
  unfit:
    'What it measured would be its own speed. Run it again with more workers, a lower rate, or on a machine of its own.',
};

function headline(kind: Kind, report: RunReport): string {
  const broken = brokenRules(report);
  switch (kind) {
    case 'clean':
      return 'Clean: every operation is accounted for';
    case 'unfit':
      return 'No result: the load generator could not keep up';
    case 'failed':
      return broken === 0
        ? 'Failed: the verdict is not clean'
        : `Failed: ${broken} of ${plural(report.verdict.findings.length, 'rule')} ${broken === 1 ? 'does' : 'do'} not hold`;
  }
}

function lead(kind: Kind, report: RunReport): string {
  const { totals, verdict, network, durationMs } = report;
  const sent = `${plural(totals.sent, 'operation')} were sent to ${plural(network.validators.length, 'validator')}`;
  if (kind === 'failed') {
    const parts = [
      [verdict.lost, 'lost'],
      [verdict.doubled, 'doubled'],
      [verdict.wrong, 'wrong'],
      [verdict.unresolved, 'unresolved'],
    ] as const;
    const counted = parts.filter(([count]) => count > 0).map(([count, word]) => `${value(count, 'count')} ${word}`);
    return `${sent}. ${counted.length === 0 ? 'Which rules do not hold stands below.' : `The audit found ${counted.join(', ')}.`}`;
  }
  if (kind === 'unfit')
    return `${sent}, and what was acknowledged is in the chain exactly once. How fast the network is can not be said.`;
  if (report.knee !== null)
    return `The network holds ${value(report.knee.rate, 'rate')}; its knee lies between ${value(report.knee.low, 'rate')} and ${value(report.knee.high, 'rate')} at 95 %. What bounds it: ${report.knee.limit}.`;
  const perSecond = (count: number): string => value((1000 * count) / durationMs, 'rate');
  const histogram = LatencyHistogram.decode(report.histograms.acknowledged);
  return `The network committed ${perSecond(totals.committed)} of ${perSecond(totals.scheduled)} that were due. It acknowledged half of the operations within ${value(histogram.at(50), 'ms')} and 99 % within ${value(histogram.at(99), 'ms')}, counted from when they were due.`;
}

function keyFigures(report: RunReport): Html {
  const { totals, durationMs, knee } = report;
  const [acknowledged, visible] = [
    LatencyHistogram.decode(report.histograms.acknowledged),
    LatencyHistogram.decode(report.histograms.visible),
  ];
  const perSecond = (count: number): string => value((1000 * count) / durationMs, 'rate');
  const share = (count: number): number => (totals.sent === 0 ? 0 : count / totals.sent);
  const failed = tile(
    'Refused or unknown',
    value(share(totals.refused + totals.unknown), 'share'),
    plural(totals.refused + totals.unknown, 'operation'),
  );
  // Of all trials of a search together, means say nothing of the network.
  if (knee !== null) return tiles([...kneeTiles(knee), failed]);
  return tiles([
    tile('Committed', perSecond(totals.committed), `${perSecond(totals.scheduled)} due`),
    tile('Acknowledged, p50', value(acknowledged.at(50), 'ms'), `p99 ${value(acknowledged.at(99), 'ms')}`),
    ...(visible.count === 0
      ? []
      : [tile('Visible, p50', value(visible.at(50), 'ms'), `p99 ${value(visible.at(99), 'ms')}`)]),
    failed,
  ]);
}

function kneeTiles({ rate, low, high, trials }: NonNullable<RunReport['knee']>): Html[] {
  const at = trials.filter((trial) => trial.holds && trial.rate === rate).map(({ p99Ms }) => p99Ms);
  return [
    tile('Knee', value(rate, 'rate'), `${value(low, 'rate')} to ${value(high, 'rate')} at 95 %`),
    ...(at.length === 0
      ? []
      : [tile('p99 at the knee', value(Math.max(...at), 'ms'), `highest of ${plural(at.length, 'trial')}`)]),
    tile('Trials', value(trials.length, 'count'), `${value(trials.filter(({ holds }) => holds).length, 'count')} held`),
  ];
}

const accounting = ({ verdict }: RunReport): Html => html`
<h3>Accounting</h3>
${tiles([
  tile('Lost', value(verdict.lost, 'count'), 'acknowledged, in no block'),
  tile('Doubled', value(verdict.doubled, 'count'), 'more than once in the chain'),
  tile('Wrong', value(verdict.wrong, 'count'), 'not what the model says'),
  tile('Unresolved', value(verdict.unresolved, 'count'), 'outcome never found out'),
])}`;

/** Violations that are shown before the others are folded away. */
const violationsShown = 8;

const findings = (of: readonly Finding[]): Html => html`
${of.filter(({ violations }) => violations.length > 0).map(brokenRule)}
<h3>Rules</h3>
${table('What was checked, and what was found', of, [
  textColumn('Rule', ({ rule }) => rule),
  textColumn('Result', ({ violations }) =>
    violations.length === 0
      ? html`<span class="badge good">holds</span>`
      : html`<span class="badge bad">violated</span>`,
  ),
  textColumn('What was looked at', ({ seen }) => seen),
])}`;

const brokenRule = ({ rule, violations }: Finding): Html => html`
<div class="card broken">
<h3><span class="badge bad">violated</span> ${rule}</h3>
${violationList(violations)}
</div>`;

function violationList(violations: readonly string[]): Html {
  const items = (some: readonly string[]): Html => html`<ul>${some.map((one) => html`<li>${one}</li>`)}</ul>`;
  const rest = violations.slice(violationsShown);
  return html`${items(violations.slice(0, violationsShown))}${
    rest.length === 0
      ? null
      : html`<details><summary>${plural(rest.length, 'more violation')}</summary>${items(rest)}</details>`
  }`;
}
