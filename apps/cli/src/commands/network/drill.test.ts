import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { verdictLines } from '../../drill/command.ts';
import { drillKinds } from '../../drill/names.ts';
import type { DrillReport } from '../../drill/runDrill.ts';
import { createProgram } from '../../program.ts';

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'prime-drill-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const prime = async (...args: readonly string[]): Promise<void> => {
  const program = await createProgram(args);
  await program.parseAsync(args, { from: 'user' });
};
const out = (): string => join(scratch, 'out');

describe('prime drill', () => {
  it.each([
    ['no such drill', ['make-coffee'], /unknown command 'make-coffee'/],
    ['too few validators', ['rolling-restart', '--validators', '3'], /--validators must be a whole number of 4 to 32/],
    [
      'too many validators',
      ['rolling-restart', '--validators', '33'],
      /--validators must be a whole number of 4 to 32/,
    ],
    ['no number', ['lose-region', '--patience', 'much'], /--patience must be a whole number of 1 to 100, got much/],
    ['no patience', ['lose-region', '--patience', '0'], /--patience must be a whole number of 1 to 100/],
    ['no port', ['lose-region', '--base-port', '70000'], /--base-port must be a whole number of 1 to 60000/],
    ['a program that is not there', ['rolling-upgrade', '--program', 'nowhere/main.js'], /no program nowhere\/main.js/],
    ['a program for another drill', ['rolling-restart', '--program', 'main.js'], /unknown option '--program'/],
  ])('%s: is refused, and nothing is started', async (_name, args, words) => {
    const wanted = args[0] === 'make-coffee' ? args : [...args, '--out', out()];
    await expect(prime('drill', ...wanted)).rejects.toThrow(words);
    expect(existsSync(out())).toBe(false);
  });

  it('a folder that holds something is left alone', async () => {
    await writeFile(join(scratch, 'mine'), 'x');
    await expect(prime('drill', 'rolling-restart', '--out', scratch)).rejects.toMatchObject({ code: 'CLI_NOT_EMPTY' });
  });
});

const report: DrillReport = {
  format: 'prime-drill-report-1',
  drill: 'rolling-restart',
  proved: true,
  proves: 'It can be restarted.',
  validators: 4,
  patience: 1,
  durationMs: 20_000,
  blocks: 90,
  writes: 12,
  steps: [],
  findings: [
    { rule: 'agreement', seen: '90 blocks on 4 nodes', violations: [] },
    { rule: 'acknowledged writes', seen: '12 writes', violations: [] },
  ],
  folder: null,
};

describe('what is printed in the end', () => {
  it('a drill that proves what it says: with what was looked at', () => {
    expect(verdictLines(report, 'out')).toEqual([
      '',
      'ok  agreement: 90 blocks on 4 nodes',
      'ok  acknowledged writes: 12 writes',
      '',
      'Proved: It can be restarted.',
      'rolling-restart took 20.0 s; its network is removed',
    ]);
  });

  it('one that does not: names what broke, and where to look', () => {
    const [first, second] = report.findings;
    const findings = [first!, { ...second!, violations: ['order 0x1 on validator2: no such order'] }];
    expect(verdictLines({ ...report, proved: false, findings, folder: '/x' }, 'out').slice(2)).toEqual([
      'NO  acknowledged writes: 12 writes',
      '      order 0x1 on validator2: no such order',
      '',
      'NOT proved (acknowledged writes): It can be restarted.',
      'rolling-restart took 20.0 s; homes, logs and report.json are in out',
    ]);
  });
});

describe('the list', () => {
  it('has every drill once, each with what it proves', () => {
    expect(new Set(drillKinds.map(({ name }) => name)).size).toBe(8);
    for (const { proves, summary } of drillKinds) expect([proves.at(-1), summary.length > 20]).toEqual(['.', true]);
  });
});
