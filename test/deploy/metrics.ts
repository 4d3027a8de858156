import { readText } from '../repo/repository.ts';

/** Metrics that a node exports, by the reference page that is made of them. */
export const nodeMetricNames = (): string[] =>
  [...readText('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name!);
