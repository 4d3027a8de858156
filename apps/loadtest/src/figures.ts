import { availableParallelism, cpus } from 'node:os';

/** Percentiles of samples in ms. */
export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
}

/** Nearest-rank percentiles. @throws RangeError when there is no sample */
export function percentiles(samples: readonly number[]): Percentiles {
  if (samples.length === 0) throw new RangeError('no samples');
  const sorted = [...samples].sort((a, b) => a - b);
  const rank = (share: number): number => round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!);
  return { count: sorted.length, p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: round(sorted.at(-1)!) };
}

/** The middle one of the sorted values, of an even count the upper one. There has to be one. */
export const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!;

/** To two decimals, as reports have them. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** The machine that figures are of, in words. */
export const machineWords = (): string =>
  `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, Node ${process.version}`;

/** Prints figures for machines: one line of JSON, with the machine that they are of. */
export const printJson = (
  figures: { readonly name: string; readonly rows: unknown } & Readonly<Record<string, unknown>>,
): void => console.log(JSON.stringify({ ...figures, node: process.version, cores: availableParallelism() }));

/** Prints a table for people and, as the last line, the same as JSON for machines. */
export function report(name: string, rows: Readonly<Record<string, Readonly<Record<string, number>>>>): void {
  console.log(`\n${name} — ${machineWords()}`);
  console.table(rows);
  printJson({ name, rows });
}
