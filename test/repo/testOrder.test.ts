import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

interface Test {
  readonly path: string;
  readonly context: {
    readonly config: { readonly cache: boolean };
    readonly hasteFS: { getSize(path: string): number };
  };
}
const { default: LongestFirst } = (await import(pathToFileURL(join(root, 'scripts', 'lib', 'sequencer.mjs')).href)) as {
  readonly default: new () => { sort(tests: readonly Test[]): readonly Test[] };
};

/** On a machine that has run none of them. */
const orderOf = (sizes: Readonly<Record<string, number>>): string[] => {
  const pathOf = (name: string): string => join(root, 'test', 'dist', name);
  const bySize = new Map(Object.entries(sizes).map(([name, size]) => [pathOf(name), size]));
  const context = { config: { cache: false }, hasteFS: { getSize: (path: string) => bySize.get(path)! } };
  const sorted = new LongestFirst().sort([...bySize.keys()].map((path) => ({ path, context })));
  return sorted.map(({ path }) => Object.keys(sizes).find((name) => pathOf(name) === path)!);
};

describe('the order of tests', () => {
  it('begins with those that install programs, however small their files are, and goes on with large files', () => {
    const [clients, packed] = ['conformance/clients/clients.test.js', 'packages/published.test.js'];
    const [large, small] = ['e2e/sdk/sdk.test.js', 'e2e/load/writeCounts.test.js'];
    expect(orderOf({ [small]: 5, [large]: 9, [clients]: 1, [packed]: 2 })).toEqual([packed, clients, large, small]);
  });
});
