/**
 * How many neighbours in a series have to be drawn together so that a bootstrap sees their dependence: the automatic choice of Politis and White (2004)
 * with the correction of Patton, Politis and White (2009), for the circular block bootstrap.
 *
 * @param series of a stationary process, at least 2 values
 * @returns 1 for independent values, at most a third of the series
 */
export function blockLength(series: readonly number[]): number {
  const n = series.length;
  const lengthMax = Math.max(1, Math.floor(Math.min(3 * Math.sqrt(n), n / 3)));
  const mean = series.reduce((sum, value) => sum + value, 0) / n;
  const centred = series.map((value) => value - mean);
  const covariance = (lag: number): number => {
    let sum = 0;
    for (let at = lag; at < n; at++) sum += centred[at]! * centred[at - lag]!;
    return sum / n;
  };
  const variance = covariance(0);
  if (variance === 0) return 1;
  const quietLags = Math.max(5, Math.ceil(Math.sqrt(Math.log10(n))));
  const lagMax = Math.min(n - 1, Math.ceil(Math.sqrt(n)) + quietLags);
  const bound = 2 * Math.sqrt(Math.log10(n) / n);
  // The last lag before so many in a row tell nothing from zero.
  let significant = 0;
  for (let lag = 1; lag <= lagMax && lag - significant <= quietLags; lag++)
    if (Math.abs(covariance(lag) / variance) >= bound) significant = lag;
  const width = Math.min(lagMax, 2 * Math.max(1, significant));
  let [spread, density] = [0, variance];
  for (let lag = 1; lag <= width; lag++) {
    // A window that is flat up to its half and falls to zero at its end.
    const term = 2 * Math.min(1, 2 * (1 - lag / width)) * covariance(lag);
    spread += term * lag;
    density += term;
  }
  if (density <= 0 || significant === 0) return 1;
  const length = ((2 * spread ** 2) / ((4 / 3) * density ** 2)) ** (1 / 3) * n ** (1 / 3);
  return Math.min(lengthMax, Math.max(1, Math.ceil(length)));
}
