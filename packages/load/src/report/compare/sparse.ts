import { LatencyHistogram } from '../../histogram.ts';

/** Histograms of windows in one grid, so that thousands of mixtures of them are sums of a few numbers. */
export interface WindowLatencies {
  /** All latencies that were seen in any window, ms, ascending. */
  readonly grid: Float64Array;
  /** Of each window: places in the grid, and how many operations lie there. */
  readonly windows: readonly { readonly places: Uint32Array; readonly counts: Float64Array }[];
}

/** @throws LoadError `LOAD_HISTOGRAM_MALFORMED` */
export function windowLatencies(encoded: readonly string[]): WindowLatencies {
  const decoded = encoded.map((text) => [...LatencyHistogram.decode(text).values()]);
  const grid = Float64Array.from(new Set(decoded.flatMap((values) => values.map(([ms]) => ms)))).sort();
  const placeOf = new Map([...grid].map((ms, place) => [ms, place]));
  const windows = decoded.map((values) => ({
    places: Uint32Array.from(values, ([ms]) => placeOf.get(ms)!),
    counts: Float64Array.from(values, ([, count]) => count),
  }));
  return { grid, windows };
}

/**
 * Percentiles of a mixture.
 *
 * @param weights how often each window counts
 * @param percents ascending, 0…100
 * @returns ms for each; NaN when the mixture is empty
 */
export function mixedPercentiles(
  { grid, windows }: WindowLatencies,
  weights: ArrayLike<number>,
  percents: readonly number[],
): number[] {
  const sums = new Float64Array(grid.length);
  let total = 0;
  for (const [index, { places, counts }] of windows.entries()) {
    const weight = weights[index]!;
    if (weight === 0) continue;
    for (let at = 0; at < places.length; at++) {
      const count = weight * counts[at]!;
      sums[places[at]!]! += count;
      total += count;
    }
  }
  const result: number[] = [];
  let [place, below] = [-1, 0];
  for (const percent of percents) {
    const wanted = Math.max(1, Math.ceil((percent / 100) * total - 1e-6));
    while (below < wanted && place + 1 < grid.length) below += sums[++place]!;
    result.push(total === 0 ? Number.NaN : grid[place]!);
  }
  return result;
}
