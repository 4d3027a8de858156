import type { Prng } from '@prime/primitives';

/**
 * When operations are due, ms from the begin of a run, ascending and without an end. An open loop sends by this and by nothing that the
 * server does, so that a server that stalls has as much asked of it as one that does not (no coordinated omission).
 */
export type Arrivals = Generator<number, never>;

/** Evenly. @param rate operations a second, above 0 */
export function* constantArrivals(rate: number): Arrivals {
  // From the number and not from the time before, so that rounding does not add up.
  for (let index = 0; ; index++) yield (index * 1000) / checkedRate(rate);
}

/** As independent users do: a Poisson process, whose gaps are exponential. @param rate operations a second on the average, above 0 */
export function* poissonArrivals(rate: number, prng: Prng): Arrivals {
  for (let atMs = 0; ; ) {
    // Uniform in (0, 1].
    const uniform = (prng.next() + 1) / 2 ** 32;
    atMs += (-Math.log(uniform) * 1000) / checkedRate(rate);
    yield atMs;
  }
}

function checkedRate(rate: number): number {
  if (!(rate > 0 && rate < Number.POSITIVE_INFINITY)) throw new RangeError(`a rate is above 0, got ${rate}`);
  return rate;
}
