import type { RunReport } from '../runReport.ts';
import { mixedPercentiles, type WindowLatencies, windowLatencies } from './sparse.ts';

const acknowledgedPercents = [50, 90, 99, 99.9] as const;
const visiblePercents = [50, 99] as const;

/** What is estimated of a run, in the order of all lists of estimates. */
export const estimateNames: readonly string[] = [
  'committed a second',
  'acknowledged a second',
  ...acknowledgedPercents.map((percent) => `acknowledged p${percent}, ms`),
  ...visiblePercents.map((percent) => `visible p${percent}, ms`),
];

/** A percentile has to have so many operations above it, or it is the latency of a few. */
const aboveMin = 10;

/** Throughput and latencies of a run, or of another one made of its windows. */
export class RunEstimator {
  readonly #windows: RunReport['windows'];
  readonly #acknowledged: WindowLatencies;
  readonly #visible: WindowLatencies;

  /** @throws LoadError `LOAD_HISTOGRAM_MALFORMED` */
  constructor({ windows }: RunReport) {
    this.#windows = windows;
    this.#acknowledged = windowLatencies(windows.map(({ acknowledgedHistogram }) => acknowledgedHistogram));
    this.#visible = windowLatencies(windows.map(({ visibleHistogram }) => visibleHistogram));
  }

  get windows(): number {
    return this.#windows.length;
  }

  /** @param weights how often each window is in the run */
  of(weights: ArrayLike<number>): number[] {
    let [ms, committed, acknowledged] = [0, 0, 0];
    for (const [index, window] of this.#windows.entries()) {
      ms += weights[index]! * (window.toMs - window.fromMs);
      committed += weights[index]! * window.committed;
      acknowledged += weights[index]! * window.acknowledged;
    }
    return [
      (1000 * committed) / ms,
      (1000 * acknowledged) / ms,
      ...mixedPercentiles(this.#acknowledged, weights, acknowledgedPercents),
      ...mixedPercentiles(this.#visible, weights, visiblePercents),
    ];
  }

  /** Of the run as it was. */
  whole(): number[] {
    return this.of(this.#windows.map(() => 1));
  }

  /** Of each window alone. */
  single(): number[][] {
    return this.#windows.map((_, chosen) => this.of(this.#windows.map((_window, index) => (index === chosen ? 1 : 0))));
  }

  /** Which estimates stand on enough operations. */
  enough(): boolean[] {
    const stands = (of: WindowLatencies) => {
      const operations = of.windows.reduce((sum, { counts }) => counts.reduce((total, count) => total + count, sum), 0);
      return (percent: number): boolean => Math.round(operations * (100 - percent)) >= 100 * aboveMin;
    };
    return [
      true,
      true,
      ...acknowledgedPercents.map(stands(this.#acknowledged)),
      ...visiblePercents.map(stands(this.#visible)),
    ];
  }
}
