/** The dashboards of deploy/grafana, as tests look at them. */
import { filesBelow, readText } from '../repository.ts';

interface DashboardPanel {
  /** File, and title of the panel. */
  readonly at: string;
  readonly id: number;
  readonly description: string;
  readonly unit: string;
  /** As they are written: with `$job`, `$instance` and `$__rate_interval`. */
  readonly expressions: readonly string[];
}

interface DashboardFile {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly description?: string;
    readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
    readonly targets?: readonly { readonly expr: string }[];
  }[];
}

export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly panels: readonly DashboardPanel[];
}

/** Panels that show something; rows are titles. */
export function readDashboards(): readonly Dashboard[] {
  const paths = filesBelow('deploy/grafana/dashboards').filter((path) => path.endsWith('.json'));
  return paths.map((path) => {
    const { uid, title, panels } = JSON.parse(readText(path)) as DashboardFile;
    return {
      uid,
      title,
      panels: panels
        .filter(({ type }) => type !== 'row')
        .map((panel) => ({
          at: `${path.slice(path.lastIndexOf('/') + 1)}: ${panel.title}`,
          id: panel.id,
          description: panel.description ?? '',
          unit: panel.fieldConfig?.defaults.unit ?? '',
          expressions: (panel.targets ?? []).map(({ expr }) => expr),
        })),
    };
  });
}
