import { describe, expect, it } from '@jest/globals';
import { pathExists, readText } from '../repository.ts';

/** docs/protocol/scenarios.md: `short: name of a test`, with a table that tells which file each short name is. */
const page = readText('docs/protocol/scenarios.md');
const files = new Map(
  [...page.matchAll(/^\| (\w+) \| (\S+\.test\.ts) \|$/gm)].map(([, short, path]) => [short!, path!]),
);
const named = [...page.matchAll(/`(\w+): ([^`]+)`/g)].map(([, short, name]) => ({ short: short!, name: name! }));

/** Names of tests as they stand in the source, without what quotes them. */
const sources = new Map([...files].map(([short, path]) => [short, readText(path).replace(/\\'/g, "'")]));
const isTest = (source: string, name: string): boolean =>
  ["'", '"', '`'].some((quote) => source.includes(`${quote}${name}${quote}`));

describe('scenarios and faults of the design', () => {
  it('each test that stands behind one exists', () => {
    expect([...files.values()].filter((path) => !pathExists(path))).toEqual([]);
    expect(named.filter(({ short, name }) => !isTest(sources.get(short) ?? '', name))).toEqual([]);
    // A reader that finds nothing would be content with everything.
    expect(named.length).toBeGreaterThan(150);
  });

  it('each row of the fault matrix has one', () => {
    const rows = [...page.matchAll(/^\| (\d+) [^|]*\| ([^|]*) \|/gm)].map(([, row, tests]) => [
      Number(row),
      tests!.includes('`'),
    ]);
    expect(rows).toEqual(Array.from({ length: 30 }, (_, index) => [index + 1, true]));
  });

  it('no file is listed that nothing is taken from', () => {
    const used = new Set(named.map(({ short }) => short));
    expect([...files.keys()].filter((short) => !used.has(short))).toEqual([]);
  });
});
