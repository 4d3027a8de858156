/** Which built tests somebody means who names a path of the sources. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Where the compiler puts a source. */
const builtPath = (path) =>
  path
    .replace(/^((?:packages|apps)\/[^/]+)\/src(?=\/|$)/, '$1/dist')
    .replace(/^test(?!\/dist)(?=\/|$)/, 'test/dist')
    .replace(/\.ts$/, '.js');

const hasTests = (path) =>
  existsSync(path) &&
  (statSync(path).isFile() || readdirSync(path, { recursive: true }).some((name) => name.endsWith('.test.js')));

/**
 * The pattern for jest that selects the tests at a path.
 *
 * @param argument what is no path at all (a pattern, the name of a test) is given back as it is
 * @throws Error for a path without a built test: jest would go on with the other ones
 */
export function patternOf(root, argument) {
  const path = relative(root, resolve(root, argument));
  if (argument.startsWith('-') || path === '' || path.startsWith('..') || !existsSync(join(root, path)))
    return argument;
  const built = join(root, builtPath(path));
  if (!hasTests(built)) throw new Error(`there is no test in ${path}`);
  return `^${built.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}${statSync(built).isFile() ? '$' : '/'}`;
}
