import { describe, expect, it } from '@jest/globals';
import { readText } from './repository.ts';

/** The alert rules against what nodes export: an alert on a metric that nobody writes never fires, and nobody notices. */

interface Alert {
  readonly name: string;
  readonly text: string;
  readonly expression: string;
}

const rules = readText('deploy/prometheus/prime.rules.yaml');
const alerts: readonly Alert[] = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: text.slice(0, text.indexOf('\n')),
    text,
    expression: /^ {8}expr: (.+)$/m.exec(text)?.[1] ?? '',
  }));

/** Name to the names of labels, and for histograms the series that they consist of. */
const series = new Map(
  [...readText('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*)\|/gm)].flatMap(
    ([, name, type, labels]): (readonly [string, readonly string[]])[] => {
      // `reason: rate, quota` tells the values of one label, `link, side` the names of several.
      const own = labels!.includes(':')
        ? [labels!.split(':', 1)[0]!.trim()]
        : labels!.split(',').map((text) => text.trim());
      return type === 'histogram'
        ? ['_count', '_sum', '_bucket'].map((suffix) => [`${name}${suffix}`, own])
        : [[name!, own]];
    },
  ),
);

describe('alert rules', () => {
  it('are found, and so are the metrics', () => {
    expect(alerts.length).toBeGreaterThan(15);
    expect(series.get('prime_consensus_height')).toEqual(['']);
    expect(series.get('prime_bus_full_total')).toEqual(['link', 'side']);
    expect(series.get('prime_rpc_limited_total')).toEqual(['reason']);
    expect(series.has('prime_consensus_block_interval_seconds_count')).toBe(true);
  });

  it('ask only for metrics that a node exports, and for labels that these have', () => {
    const named = alerts.flatMap(({ name, expression }) =>
      [...expression.matchAll(/\b(prime_\w+)(?:\{([^}]*)\})?/g)].map(([, metric, selector = '']) => ({
        name,
        metric: metric!,
        labels: [...selector.matchAll(/(\w+)(?:=|!)/g)].map(([, label]) => label!),
      })),
    );
    expect(named.length).toBeGreaterThanOrEqual(alerts.length);
    expect(named.filter(({ metric, labels }) => !labels.every((label) => series.get(metric)?.includes(label)))).toEqual(
      [],
    );
  });

  it('each has one name, an expression, a severity and words for people', () => {
    expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
    for (const { name, text, expression } of alerts) {
      expect([name, expression]).toEqual([name, expect.stringContaining('prime_')]);
      expect([name, text]).toEqual([
        name,
        expect.stringMatching(/^ {8}labels: \{ severity: (?:warning|critical) \}$/m),
      ]);
      expect([name, text]).toEqual([name, expect.stringMatching(/^ {10}summary: ".+"$/m)]);
    }
  });
});
