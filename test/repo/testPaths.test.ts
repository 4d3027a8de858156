import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, root } from './repository.ts';

const { namesOf, patternOf, suiteFolders, suitePattern, usualRuns } = (await import(
  pathToFileURL(join(root, 'scripts', 'lib', 'testPaths.mjs')).href
)) as {
  readonly namesOf: (args: readonly string[]) => string[];
  readonly patternOf: (root: string, argument: string) => string;
  readonly suiteFolders: Readonly<Record<string, readonly string[]>>;
  readonly usualRuns: readonly { readonly suites: readonly string[] }[];
  readonly suitePattern: (root: string, suite: string, wanted: readonly string[]) => string;
};
const own = join(root, 'test', 'dist', 'repo', 'testPaths.test.js');

const builtTests = ['packages', 'apps', 'test/dist']
  .flatMap((folder) => filesBelow(folder, new Set(['node_modules', 'src'])))
  .filter((path) => /(?:^|\/)dist\/.*\.test\.js$/.test(path));
/** Built tests that a pattern selects, as jest does: paths of the file system, whatever the case. */
const selected = (pattern: string, base = root): string[] =>
  builtTests.filter((path) => new RegExp(pattern, 'i').test(join(base, path)));

describe('suites', () => {
  it('have every test, each in one', () => {
    expect(builtTests.length).toBeGreaterThan(200);
    const suites = Object.keys(suiteFolders).map((suite) => selected(suitePattern(root, suite, [])));
    expect(suites.flat().toSorted()).toEqual(builtTests.toSorted());
    expect(suites.every((tests) => tests.length > 0)).toBe(true);
  });

  it('run where none is named, all but those of the night', () => {
    const usual = usualRuns.flatMap(({ suites }) => suites);
    expect([...usual, 'nightly'].toSorted()).toEqual(Object.keys(suiteFolders).toSorted());
  });

  it('with a name run those of their tests only that match it, or one of several', () => {
    const run = (suite: string, ...wanted: readonly string[]) => selected(suitePattern(root, suite, wanted));
    expect(run('e2e', 'peers')).toEqual(['test/dist/e2e/network/peers.test.js']);
    expect(run('e2e', 'network/peers', 'mempool')).toEqual([
      'test/dist/e2e/network/peers.test.js',
      'test/dist/e2e/recovery/mempool.test.js',
    ]);
    expect(run('e2e', patternOf(root, 'test/e2e/network/peers.test.ts'))).toEqual([
      'test/dist/e2e/network/peers.test.js',
    ]);
    expect(run('unit', patternOf(root, 'packages/mempool')).every((path) => path.startsWith('packages/mempool/'))).toBe(
      true,
    );
    expect(run('unit', '^apps/')).toEqual(builtTests.filter((path) => path.startsWith('apps/')));
    expect(run('e2e', patternOf(root, 'packages/mempool'))).toEqual([]);
    expect(run('sim', 'no such test')).toEqual([]);
  });

  it('take a name for a part of the path in the clone, not of the folder around it', () => {
    const base = '/any/peers/prime (copy)';
    expect(selected(suitePattern(base, 'e2e', ['peers']), base)).toEqual(['test/dist/e2e/network/peers.test.js']);
  });

  it('know what belongs to an option', () => {
    expect(namesOf(['peers', '-t', 'a name', '--runInBand', 'mempool', '--maxWorkers', '1', '--seed=2'])).toEqual([
      'peers',
      'mempool',
    ]);
  });
});

describe('paths of tests', () => {
  it.each([
    ['test/repo', own],
    ['test/repo/', own],
    ['./test/repo/testPaths.test.ts', own],
    ['test/dist/repo', own],
    ['packages/primitives', join(root, 'packages', 'primitives', 'dist', 'bytes.test.js')],
    ['packages/primitives/src', join(root, 'packages', 'primitives', 'dist', 'bytes.test.js')],
  ])('%s selects the built tests of it', (path, built) => {
    expect(built).toMatch(new RegExp(patternOf(root, path)));
  });

  it('of one package are not those of another whose name begins like it', () => {
    const other = join(root, 'packages', 'primitives2', 'dist', 'bytes.test.js');
    expect(other).not.toMatch(new RegExp(patternOf(root, 'packages/primitives')));
  });

  it.each(['e2e/peers', 'test/e2e/peers.test.ts', 'e2e/network/peers'])('%s finds a test by its name', (path) => {
    expect(selected(patternOf(root, path))).toEqual(['test/dist/e2e/network/peers.test.js']);
  });

  it('a path without a test is refused, and what is no path stays what it is', () => {
    expect(() => patternOf(root, 'docs')).toThrow('there is no test in docs');
    for (const argument of ['-t', '--runInBand', 'engine.*model', 'no such path'])
      expect(patternOf(root, argument)).toBe(argument);
  });
});
