/** Deterministic random numbers for simulation, property tests and load generators; never for keys or protocol. */
export interface Prng {
  /** Uniform in [0, 2^32). */
  next(): number;
  /** Uniform integer in [0, bound); bound in 1..2^32. */
  below(bound: number): number;
  /** True with probability numerator/denominator. */
  chance(numerator: number, denominator: number): boolean;
  /** A generator whose stream is independent of this one's later use. */
  fork(): Prng;
}

/** sfc32, seeded by splitmix32 from a 32-bit seed. */
export function createPrng(seed: number): Prng {
  let mix = seed >>> 0;
  const splitmix = (): number => {
    mix = (mix + 0x9e3779b9) >>> 0;
    let z = mix;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let [a, b, c, counter] = [splitmix(), splitmix(), splitmix(), 1];
  const next = (): number => {
    const result = (((a + b) >>> 0) + counter) >>> 0;
    counter = (counter + 1) >>> 0;
    a = (b ^ (b >>> 9)) >>> 0;
    b = (c + (c << 3)) >>> 0;
    c = (((c << 21) | (c >>> 11)) + result) >>> 0;
    return result;
  };
  for (let round = 0; round < 12; round++) next();
  const below = (bound: number): number => {
    if (!Number.isInteger(bound) || bound < 1 || bound > 2 ** 32) throw new RangeError(`bound out of range: ${bound}`);
    const limit = 2 ** 32 - (2 ** 32 % bound);
    let value = next();
    while (value >= limit) value = next();
    return value % bound;
  };
  return {
    next,
    below,
    chance: (numerator, denominator) => below(denominator) < numerator,
    fork: () => createPrng(next()),
  };
}
