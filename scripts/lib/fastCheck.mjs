import fastCheck, { configureGlobal, assert as runProperty } from '../../node_modules/fast-check/lib/fast-check.js';

/**
 * fast-check for all tests, with one seed: a run of the tests says something about the commit, and nothing about luck. To look for what no run
 * has met yet, PROPERTY_SEED is `random`, or the number that a failure printed, and TEST_DRAWS how many times as much is drawn.
 */
const given = process.env.PROPERTY_SEED ?? '20';
if (given !== 'random') {
  if (!/^-?\d+$/.test(given)) throw new Error(`PROPERTY_SEED is "random" or an integer, not "${given}"`);
  configureGlobal({ seed: Number(given) });
}

const draws = process.env.TEST_DRAWS ?? '1';
if (!/^[1-9]\d*$/.test(draws)) throw new Error(`TEST_DRAWS is an integer above zero, not "${draws}"`);
/** As fast-check has it where a test says nothing. */
const usualRuns = 100;

export * from '../../node_modules/fast-check/lib/fast-check.js';

export const assert = (property, options = {}) =>
  runProperty(property, { ...options, numRuns: (options.numRuns ?? usualRuns) * Number(draws) });

// Tests import it as `fc`.
// oxlint-disable-next-line import/no-default-export
export default { ...fastCheck, assert };
