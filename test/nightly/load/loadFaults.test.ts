/**
 * `prime load run --faults`: a validator that stands still, links that are slow and cut, and what the report says of them.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseReport } from '@prime/load';
import { cli } from '../../e2e/operations/program.ts';

/** A test is not the place to measure a machine: deadlines are long. */
const faults = `
format = "prime-chaos-1"
seed = 5
validators = 4
patience = 20

[[phases]]
name = "1 stands still"
promise = "live"
hold_ms = 2000
faults = [{ kind = "pause", validators = [1] }]

[[phases]]
name = "halves behind slow links"
promise = "halt"
hold_ms = 2000
faults = [
  { kind = "degrade", links = "all", latency_ms = 10, jitter_ms = 10 },
  { kind = "partition", groups = [[0, 1], [2, 3]] },
]

[[phases]]
name = "never"
promise = "live"
hold_ms = 600000
faults = [{ kind = "kill", validators = [0] }]
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prime-load-'));
  await writeFile(join(folder, 'faults.toml'), faults);
});
afterAll(() => rm(folder, { recursive: true }));

describe('faults in a run', () => {
  it('a pause, then slow and cut links: nothing is lost, and each is a band with its recovery', async () => {
    const place = ['--faults', 'faults.toml', '--home', 'home', '--report', 'report.html'];
    const pace = ['--rate', '30', '--duration', '1h', '--ahead', '1000', '--workers', '1', '--size', '63'];
    const child = spawn(process.execPath, [cli, 'load', 'run', 'maker', ...place, ...pace, '--keep-funds'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const lines: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      lines.push(line);
      // The load goes on for as long as the phases take that are looked at.
      if (/halves behind slow links: .*all back/.test(line)) child.kill('SIGINT');
    }
    const output = lines.join('\n');
    expect([errors, output.includes('verdict: clean') ? '' : output, await ended]).toEqual(['', '', 0]);

    const { bands, verdict, totals, blocks } = parseReport(await readFile(join(folder, 'report.json'), 'utf8'));
    const drawn = bands.filter(({ kind }) => kind === 'fault').slice(0, 2);
    expect(drawn.map(({ name }) => name)).toEqual(['1 stands still', 'halves behind slow links']);
    for (const { fromMs, toMs, recoveryMs } of drawn) {
      expect(toMs - fromMs).toBeGreaterThanOrEqual(2_000);
      expect(recoveryMs).toBeGreaterThan(0);
    }
    const [paused, halved] = drawn;
    // Before the first one the network is left alone for 5 s.
    expect(paused!.fromMs).toBeGreaterThan(4_000);
    expect(halved!.fromMs).toBeGreaterThan(paused!.toMs);
    expect(blocks.some(({ atMs }) => atMs > paused!.fromMs && atMs < paused!.toMs)).toBe(true);
    expect(blocks.some(({ atMs }) => atMs > halved!.toMs)).toBe(true);
    expect(totals.acknowledged + totals.refused + totals.unknown).toBe(totals.sent);
    const seen = Object.fromEntries(verdict.findings.map(({ rule, seen: words }) => [rule, words]));
    expect(seen).toMatchObject({
      'phases of faults': expect.stringMatching(/^[23] of 3 carried out/),
      'progress during faults': expect.stringMatching(/^[12] phases that go on, 1 that stand still$/),
      'no second signature': expect.stringMatching(/^[1-9]\d* signatures/),
      'every operation accounted for': expect.stringMatching(/^\d+ in a block/),
    });
    const page = await readFile(join(folder, 'report.html'), 'utf8');
    for (const { name } of drawn) expect(page).toContain(name);
    // Homes are for finding out what went wrong.
    expect(existsSync(join(folder, 'home'))).toBe(false);
  });

  it('a manifest that is none: nothing is started', async () => {
    await writeFile(join(folder, 'none.toml'), faults.replace('"pause"', '"sleep"'));
    const child = spawn(process.execPath, [cli, 'load', 'run', 'maker', '--faults', 'none.toml', '--home', 'nothing'], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let errors = '';
    child.stderr.on('data', (data: Buffer) => (errors += data.toString()));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(64);
    expect(errors).toContain('kind must be one of kill, stop, pause, partition');
    expect(existsSync(join(folder, 'nothing'))).toBe(false);
  });
});
