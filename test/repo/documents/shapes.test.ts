import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, readText, root } from '../repository.ts';

const steps = pathToFileURL(join(root, 'packages', 'clob', 'dist', 'testing', 'steps.js')).href;
const { growthSteps } = (await import(steps)) as {
  readonly growthSteps: readonly { readonly name: string; readonly at: number }[];
};

describe('the page on shapes of tests', () => {
  const page = readText('docs/testing-shapes.md');

  it('has every size that the tests of the order book cross, and no other', () => {
    const rows = [...page.matchAll(/^\| ([a-z ]+) \| (\d+) \| \w+\.ts \|/gm)].map(([, name, at]) => [name, Number(at)]);
    expect(rows).toEqual(growthSteps.map(({ name, at }) => [name, at]));
  });

  it('names tests that are there', () => {
    const named = [...page.matchAll(/`(packages\/[\w/.]+\.ts)`/g)].map((match) => match[1]!);
    expect(named.length).toBeGreaterThan(5);
    const files = new Set(filesBelow('packages'));
    expect(named.filter((path) => !files.has(path))).toEqual([]);
  });
});
