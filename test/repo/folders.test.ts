/** What a reader takes in at once: a folder whose names fit on a screen, a file that is read in one go. */
import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, readText } from './repository.ts';

const filesMax = 25;
const linesMax = 400;

/** Made by a program: all that is, is in a folder of this name. */
const isGenerated = (path: string): boolean => path.split('/').includes('generated');

const sources = filesBelow('.').filter((path) => /\.(?:ts|tsx|mjs|js|css)$/.test(path));
const linesOf = (path: string): number => readText(path).split('\n').length - 1;

describe('sources', () => {
  it(`are at most ${filesMax} in a folder`, () => {
    expect(sources.length).toBeGreaterThan(1_000);
    const counts = new Map<string, number>();
    for (const folder of sources.map((path) => posix.dirname(path))) counts.set(folder, (counts.get(folder) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > filesMax)).toEqual([]);
  });

  it(`have at most ${linesMax} lines, unless a program made them`, () => {
    const long = sources.filter((path) => linesOf(path) > linesMax && !isGenerated(path));
    expect(long.map((path) => `${path}: ${linesOf(path)}`)).toEqual([]);
  });
});
