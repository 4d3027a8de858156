import type { Prng } from '@prime/primitives';

/** In (0, 1). */
export const uniform = (prng: Prng): number => (prng.next() + 0.5) / 2 ** 32;

/** Of mean 0 and deviation 1. */
export const gauss = (prng: Prng): number =>
  Math.sqrt(-2 * Math.log(uniform(prng))) * Math.cos(2 * Math.PI * uniform(prng));

/** Of a given median; `spread` is the deviation of its logarithm. */
export const logNormal = (prng: Prng, median: number, spread: number): number =>
  median * Math.exp(spread * gauss(prng));
