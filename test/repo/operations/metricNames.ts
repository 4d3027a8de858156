/** Names of metrics: those that nodes and signers export, and those that expressions ask for. */
import { readText } from '../repository.ts';

/** Series that can be asked for, of nodes and of signers, with the names of their labels; histograms are the series that they consist of. */
export function exportedSeries(): ReadonlyMap<string, readonly string[]> {
  const rows = [...readText('docs/reference/metrics.md').matchAll(/^\| `(\w+)` \| (\w+) \| ([^|]*)\|/gm)];
  return new Map(
    rows.flatMap(([, name, type, labels]): (readonly [string, readonly string[]])[] => {
      // `reason: rate, quota` tells the values of one label, `link, side` the names of several.
      const own = (labels!.includes(':') ? labels!.split(':', 1) : labels!.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== '');
      return type === 'histogram'
        ? [
            [`${name}_count`, own],
            [`${name}_sum`, own],
            [`${name}_bucket`, [...own, 'le']],
          ]
        : [[name!, own]];
    }),
  );
}

/** Metrics that a PromQL expression asks for, and the labels that it selects them by. */
export const namesIn = (
  expression: string,
): readonly { readonly metric: string; readonly labels: readonly string[] }[] =>
  [...expression.matchAll(/\b(prime_\w+|process_\w+|up)\b(?:\{([^}]*)\})?/g)].map(([, metric, selector = '']) => ({
    metric: metric!,
    labels: [...selector.matchAll(/(\w+)(?:=|!)/g)].map(([, label]) => label!),
  }));
