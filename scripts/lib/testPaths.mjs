/** Which built tests there are, and which somebody means who names a suite, a path of the sources or a part of one. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Where the compiler puts a source. */
const builtPath = (path) =>
  path
    .replace(/^((?:packages|apps)\/[^/]+)\/src(?=\/|$)/, '$1/dist')
    .replace(/^test(?!\/dist)(?=\/|$)/, 'test/dist')
    .replace(/\.tsx?$/, '.js');

const hasTests = (path) =>
  existsSync(path) &&
  (statSync(path).isFile() || readdirSync(path, { recursive: true }).some((name) => name.endsWith('.test.js')));

/** A path by its names: nothing in it means more to a pattern than to a folder. */
const plainPath = /^[\w.-]+(?:\/[\w.-]+)+$/;

/**
 * The pattern for jest that selects the tests at a path. One that is not there may lack folders: `e2e/kills` finds `e2e/recovery/kills`.
 *
 * @param argument what is no path at all (a pattern, the name of a test) is given back as it is
 * @throws Error for a path without a built test: jest would go on with the other ones
 */
export function patternOf(root, argument) {
  const path = relative(root, resolve(root, argument));
  if (argument.startsWith('-') || path === '' || path.startsWith('..')) return argument;
  if (!existsSync(join(root, path)))
    return plainPath.test(argument) ? builtPath(argument).split('/').map(literal).join('/(?:[^/]+/)*') : argument;
  const built = join(root, builtPath(path));
  if (!hasTests(built)) throw new Error(`there is no test in ${path}`);
  return `^${literal(built)}${statSync(built).isFile() ? '$' : '/'}`;
}

const literal = (path) => path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Folders of built tests by suite, as patterns below the root. Each test is in one. */
export const suiteFolders = {
  unit: ['packages', 'apps', 'test/dist/(?:repo|soak|drill|conformance/(?!clients/|executionApis/)[^/]+)'],
  sim: ['test/dist/sim'],
  e2e: ['test/dist/(?:e2e|explorer|fuzz|conformance/executionApis)'],
  deploy: ['test/dist/deploy'],
  clients: ['test/dist/conformance/clients'],
  packages: ['test/dist/packages'],
  nightly: ['test/dist/nightly'],
};

/**
 * What runs where no suite is named. The nightly ones install other people's toolchains, or break networks for long: each night, and before a release.
 *
 * Tests that compute keep a worker each busy. Those that start processes also wait for them, so that three share two cores.
 */
export const usualRuns = [
  { name: 'computed', suites: ['unit', 'sim'], flags: [] },
  { name: 'processes', suites: ['e2e', 'deploy', 'clients', 'packages'], flags: ['--maxWorkers=3'] },
];

/** Options of jest whose value is an argument of its own. */
const withValue = new Set(['-t', '--testNamePattern', '-w', '--maxWorkers', '--shard', '--seed', '--testTimeout']);

/** @returns the arguments that are no option of jest and no value of one: they choose tests */
export const namesOf = (args) =>
  args.filter((argument, index) => !argument.startsWith('-') && !withValue.has(args[index - 1]));

/**
 * The one pattern for jest that selects the tests of a suite, wherever the clone lies: of several patterns jest takes the tests that match any.
 *
 * @param wanted of these too the tests must match one, as {@link patternOf} gives them; all tests of the suite where there is none
 */
export function suitePattern(root, suite, wanted) {
  const start = `^${literal(root)}/`;
  const within = wanted.map((pattern) => {
    if (pattern.startsWith(start)) return pattern.slice(start.length);
    return pattern.startsWith('^') ? pattern.slice(1) : `.*${pattern}`;
  });
  const chosen = within.length === 0 ? '' : `(?=${within.map((pattern) => `(?:${pattern})`).join('|')})`;
  return `${start}${chosen}(?:${suiteFolders[suite].join('|')})/`;
}
