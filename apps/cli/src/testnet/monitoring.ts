import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtMonitoring } from './monitoringPlace.ts';

/** What watches a network besides the addresses of its nodes: the same files as the chart and deploy/compose.yaml have. */
export interface Monitoring {
  /** Alerts, as Prometheus reads them. */
  readonly rules: string;
  /** Dashboards of Grafana, by file name. */
  readonly dashboards: Readonly<Record<string, string>>;
  /** How Grafana finds them. */
  readonly provider: string;
}

/** File of the alerts in a folder of Prometheus. */
export const rulesFileName = 'prime.rules.yaml';

/** Reads rules and dashboards that were built with this program; all are small. */
export function readMonitoring(): Monitoring {
  const text = (...path: readonly string[]): string => readFileSync(join(builtMonitoring, ...path), 'utf8');
  const names = readdirSync(join(builtMonitoring, 'grafana', 'dashboards')).filter((name) => name.endsWith('.json'));
  return {
    rules: text(rulesFileName),
    dashboards: Object.fromEntries(names.toSorted().map((name) => [name, text('grafana', 'dashboards', name)])),
    provider: text('grafana', 'provisioning', 'dashboards', 'prime.yaml'),
  };
}
