import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { circlesOf, type ImportGraph } from './circles.ts';
import { filesBelow, importsOf, readText, workspaces } from './repository.ts';

/** The modules below a folder, by their path from there; imports of other packages are none of them. */
function graphOf(folder: string): ImportGraph {
  const files = filesBelow(folder).filter((path) => /\.tsx?$/.test(path));
  const modules = new Set(files);
  const short = (path: string): string => posix.relative(folder, path);
  return new Map(
    files.map((file) => {
      const imported = importsOf(readText(file)).map((module) => posix.join(posix.dirname(file), module));
      return [short(file), imported.filter((path) => modules.has(path)).map(short)];
    }),
  );
}

describe('imports', () => {
  it.each([...workspaces.map(({ folder }) => `${folder}/src`), 'test'])(
    'of %s go in no circle, types included',
    (folder) => {
      const graph = graphOf(folder);
      expect(graph.size).toBeGreaterThan(0);
      expect(circlesOf(graph)).toEqual([]);
    },
  );

  it('are those that files have', () => {
    const imported = [...graphOf('packages/evm/src')].flatMap(([, names]) => names);
    expect(imported).toContain('interpreter/frame.ts');
    expect(imported.length).toBeGreaterThan(100);
  });
});

describe('the search for circles', () => {
  const circles = (graph: Readonly<Record<string, readonly string[]>>): string[] =>
    circlesOf(new Map(Object.entries(graph)));

  it('finds none where every way ends', () => {
    expect(circles({})).toEqual([]);
    expect(circles({ a: ['b', 'c'], b: ['c'], c: [], d: ['a', 'b'] })).toEqual([]);
    expect(circles({ a: ['elsewhere'] })).toEqual([]);
  });

  it('names two modules that import each other, and one that imports itself', () => {
    expect(circles({ a: ['b'], b: ['a'] })).toEqual(['a → b → a']);
    expect(circles({ a: ['a'] })).toEqual(['a → a']);
  });

  it('leaves out what only leads to the circle', () => {
    expect(circles({ a: ['b'], b: ['c', 'e'], c: ['d'], d: ['b'], e: [] })).toEqual(['b → c → d → b']);
  });

  it('finds circles that share a module, and those of parts that nothing connects', () => {
    expect(circles({ a: ['b', 'c'], b: ['a'], c: ['a'], x: ['y'], y: ['x'] })).toEqual([
      'a → b → a',
      'a → c → a',
      'x → y → x',
    ]);
  });

  it('finds a circle behind a module that was visited before', () => {
    expect(circles({ a: ['b'], b: [], c: ['b', 'd'], d: ['c'] })).toEqual(['c → d → c']);
  });
});
