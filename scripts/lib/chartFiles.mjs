/** What the chart holds copies of, because the package of a chart has nothing from outside of its folder: alerts and dashboards. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const files = 'deploy/helm/prime/files';
const placeOf = (dashboard) => `${files}/dashboards/${basename(dashboard)}`;

/**
 * @param {Record<string, string>} dashboards text by path
 * @returns {Record<string, string>} text by the path in the chart
 */
export const chartFiles = (root, dashboards) => ({
  [`${files}/prime.rules.yaml`]: readFileSync(join(root, 'deploy/prometheus/prime.rules.yaml'), 'utf8'),
  ...Object.fromEntries(Object.entries(dashboards).map(([path, text]) => [placeOf(path), text])),
});

/** @returns {string[]} paths of copies whose source is gone */
export function staleChartFiles(root, dashboards) {
  const folder = `${files}/dashboards`;
  const wanted = new Set(Object.keys(dashboards).map(placeOf));
  const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)) : [];
  return there
    .filter((name) => name.endsWith('.json'))
    .map((name) => `${folder}/${name}`)
    .filter((path) => !wanted.has(path));
}
