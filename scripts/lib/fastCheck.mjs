import { configureGlobal } from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * fast-check for all tests, with one seed: a run of the tests says something about the commit, and nothing about luck. To look for what no run
 * has met yet, PROPERTY_SEED is `random`, or the number that a failure printed.
 */
const given = process.env.PROPERTY_SEED ?? '20';
if (given !== 'random') {
  if (!/^-?\d+$/.test(given)) throw new Error(`PROPERTY_SEED is "random" or an integer, not "${given}"`);
  configureGlobal({ seed: Number(given) });
}

export * from '../../node_modules/fast-check/lib/fast-check.js';
// Tests import it as `fc`.
// oxlint-disable-next-line import/no-default-export
export { default } from '../../node_modules/fast-check/lib/fast-check.js';
