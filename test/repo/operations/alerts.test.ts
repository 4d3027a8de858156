import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { prometheusAtHand, promtool } from '@prime/testkit';
import { alertCases } from './alertCases.ts';
import type { AlertCase } from './alertSeries.ts';
import { readText, root } from '../repository.ts';
import { exportedSeries, namesIn } from './metricNames.ts';

/** The alert rules against what nodes export: an alert on a metric that nobody writes never fires, and nobody notices. */

interface Alert {
  readonly name: string;
  readonly text: string;
  readonly expression: string;
  readonly severity: string;
}

const rulesPath = join(root, 'deploy/prometheus/prime.rules.yaml');
const alerts: readonly Alert[] = readText('deploy/prometheus/prime.rules.yaml')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: text.slice(0, text.indexOf('\n')),
    text,
    expression: /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)$)/m.exec(text)?.slice(1).find(Boolean) ?? '',
    severity: /^ {8}labels: \{ severity: (\w+) \}$/m.exec(text)?.[1] ?? '',
  }));
const nameOf = ({ name }: Alert): string => name;
const exported = exportedSeries();

describe('alert rules', () => {
  it('are found, and so are the metrics', () => {
    expect(alerts.length).toBeGreaterThan(40);
    expect(exported.get('prime_consensus_height')).toEqual([]);
    expect(exported.get('prime_bus_full_total')).toEqual(['link', 'side']);
    expect(exported.get('prime_rpc_limited_total')).toEqual(['reason']);
    expect(exported.get('prime_rpc_request_seconds_bucket')).toEqual(['class', 'le']);
  });

  it('ask only for metrics that a node or a signer exports, and for labels that these have', () => {
    const named = alerts.flatMap(({ name, expression }) =>
      namesIn(expression).map(({ metric, labels }) => ({ name, metric, labels })),
    );
    expect(named.length).toBeGreaterThanOrEqual(alerts.length);
    const isUnknown = ({ metric, labels }: (typeof named)[number]): boolean =>
      !labels.every((label) => ['job', 'instance', ...(exported.get(metric) ?? [])].includes(label)) ||
      (metric !== 'up' && !exported.has(metric));
    expect(named.filter(isUnknown)).toEqual([]);
  });

  it('each has one name, an expression, a severity, and words with numbers for people', () => {
    expect(new Set(alerts.map(nameOf)).size).toBe(alerts.length);
    for (const { name, text, expression, severity } of alerts) {
      expect([name, expression]).not.toEqual([name, '']);
      expect([name, severity]).toEqual([name, expect.stringMatching(/^(?:warning|critical)$/)]);
      for (const field of ['summary', 'description'])
        expect([name, text]).toEqual([name, expect.stringMatching(new RegExp(`^ {10}${field}: (["']).+\\1$`, 'm'))]);
      expect([name, text]).toEqual([
        name,
        expect.stringContaining(`runbook_url: docs/runbooks.md#${name.toLowerCase()}\n`),
      ]);
    }
  });

  it('each has a section of the runbook, with what it means, where to look and what to do; and no other has', () => {
    const sections = readText('docs/runbooks.md').split(/^### /m).slice(1);
    const titled = sections.map((section) => section.slice(0, section.indexOf('\n')));
    expect(titled).toEqual(alerts.map(nameOf));
    for (const [index, section] of sections.entries())
      for (const part of ['**Means**', '**Look**', '**Do**'])
        expect([titled[index], section]).toEqual([titled[index], expect.stringContaining(part)]);
  });
});

const caseLabels = ({ alert, fires }: AlertCase): string =>
  Object.entries({
    alertname: alert,
    alertstate: 'firing',
    severity: alerts.find(({ name }) => name === alert)!.severity,
    ...fires.labels,
  })
    .map(([label, value]) => `${label}="${value}"`)
    .join(',');

/** A series that names no labels is one of the first node. */
const withLabels = (series: string): string => (series.includes('{') ? series : `${series}{job="prime",instance="n0"}`);

/** What promtool plays for one alert. JSON is YAML. */
function testFile(rules: string, cases: readonly AlertCase[]): string {
  const testOf = (each: AlertCase, series: AlertCase['rests'][number], fires: boolean) => ({
    interval: '1m',
    input_series: Object.entries(series).map(([name, values]) => ({ series: withLabels(name), values })),
    promql_expr_test: [
      {
        expr: `ALERTS{alertname="${each.alert}",alertstate="firing"}`,
        eval_time: `${each.fires.at}m`,
        exp_samples: fires ? [{ labels: `ALERTS{${caseLabels(each)}}`, value: 1 }] : [],
      },
    ],
  });
  return JSON.stringify({
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: cases.flatMap((each) => [
      testOf(each, each.fires.series, true),
      ...each.rests.map((series) => testOf(each, series, false)),
    ]),
  });
}

/** Each alert by itself: all of them in each situation would be fifty times the work. */
function play(cases: readonly AlertCase[]): ReturnType<typeof promtool> {
  const folder = mkdtempSync(join(tmpdir(), 'prime-alerts-'));
  try {
    const files = alerts.flatMap(({ name, text }) => {
      const own = cases.filter(({ alert }) => alert === name);
      if (own.length === 0) return [];
      // Up to the next group.
      const [rule] = text.split('\n\n', 1);
      writeFileSync(join(folder, `${name}.rules`), `groups:\n  - name: one\n    rules:\n      - alert: ${rule}\n`);
      writeFileSync(join(folder, `${name}.test`), testFile(join(folder, `${name}.rules`), own));
      return [join(folder, `${name}.test`)];
    });
    return promtool(['test', 'rules', ...files]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('alert rules, as promtool plays them', () => {
  it('are rules', () => {
    if (!prometheusAtHand()) return;
    expect(promtool(['check', 'rules', rulesPath])).toMatchObject({ status: 0 });
  });

  it('each has a situation in which it fires, and others in which it does not', () => {
    const played = new Set(alertCases.map(({ alert }) => alert));
    expect([...played].toSorted()).toEqual(alerts.map(nameOf).toSorted());
    for (const { alert, rests } of alertCases) expect([alert, rests.length > 0]).toEqual([alert, true]);
    if (!prometheusAtHand()) return;
    const { status, output } = play(alertCases);
    expect([status, output.match(/SUCCESS/g)?.length, output]).toEqual([0, alerts.length, expect.any(String)]);
  });

  it('a situation that is not what it says is noticed', () => {
    if (!prometheusAtHand()) return;
    const [first] = alertCases;
    expect(play([{ ...first!, rests: [first!.fires.series] }]).status).not.toBe(0);
    expect(play([{ ...first!, fires: { ...first!.fires, series: first!.rests[0]! } }]).status).not.toBe(0);
  });
});
