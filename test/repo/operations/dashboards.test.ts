import { describe, expect, it } from '@jest/globals';
import { readDashboards } from './dashboards.ts';
import { exportedSeries, namesIn } from './metricNames.ts';
import { readText } from '../repository.ts';

/** Dashboards against what nodes export; test/e2e/operations/dashboards.test.ts asks a real Prometheus for each panel. That the files are what the code says, docs.test.ts sees. */

const dashboards = readDashboards();
const panels = dashboards.flatMap((dashboard) => dashboard.panels);
const exported = exportedSeries();

describe('dashboards', () => {
  it('are seven, with names and panels of their own', () => {
    expect(dashboards.map(({ title }) => title).toSorted()).toEqual([
      'Prime / Bus and threads',
      'Prime / Consensus rounds',
      'Prime / Execution and order book',
      'Prime / JSON-RPC',
      'Prime / Machine',
      'Prime / Network',
      'Prime / Node',
    ]);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    expect(new Set(panels.map(({ at }) => at)).size).toBe(panels.length);
    for (const { title, panels: own } of dashboards)
      expect([title, new Set(own.map(({ id }) => id)).size]).toEqual([title, own.length]);
  });

  it('say of each panel what it is there to tell, and in which unit', () => {
    expect(panels.filter(({ description, unit }) => description === '' || unit === '').map(({ at }) => at)).toEqual([]);
  });

  it('ask only for metrics that a node or a signer exports, of the nodes that are chosen', () => {
    const unknown = panels.flatMap(({ at, expressions }) =>
      expressions
        .flatMap(namesIn)
        .filter(({ metric, labels }) => !(exported.has(metric) || metric === 'up') || !labels.includes('instance'))
        .map(({ metric }) => `${at}: ${metric}`),
    );
    expect(unknown).toEqual([]);
    expect(panels.filter(({ expressions }) => expressions.flatMap(namesIn).length === 0)).toEqual([]);
  });

  it('together with the alerts use every metric that there is', () => {
    const expressions = [
      ...panels.flatMap((panel) => panel.expressions),
      readText('deploy/prometheus/prime.rules.yaml'),
    ];
    const used = new Set(
      expressions.flatMap(namesIn).map(({ metric }) => metric.replace(/_(?:bucket|sum|count)$/, '')),
    );
    const metrics = new Set([...exported.keys()].map((series) => series.replace(/_(?:bucket|sum|count)$/, '')));
    expect([...metrics].filter((metric) => !used.has(metric))).toEqual([]);
  });
});
