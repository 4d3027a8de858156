import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

const { patternOf } = (await import(pathToFileURL(join(root, 'scripts', 'lib', 'testPaths.mjs')).href)) as {
  readonly patternOf: (root: string, argument: string) => string;
};
const own = join(root, 'test', 'dist', 'repo', 'testPaths.test.js');

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

  it('a path without a test is refused, and what is no path stays what it is', () => {
    expect(() => patternOf(root, 'docs')).toThrow('there is no test in docs');
    for (const argument of ['-t', '--runInBand', 'engine.*model', 'no such path'])
      expect(patternOf(root, argument)).toBe(argument);
  });
});
