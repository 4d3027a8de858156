import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { run, until } from '@prime/testkit';
import { cli } from '../e2e/operations/program.ts';

/** A short schedule through the real command; what violations look like is in the unit tests of the verdict. */

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'prime-chaos-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

const manifest = {
  format: 'prime-chaos-1',
  seed: 5,
  validators: 4,
  // A test is not the place to measure a machine.
  patience: 20,
  load: { transfers: 6, orders: 8, trades: 2, deposits: 2, withdrawals: 2, bursts: 1 },
  phases: [
    { name: 'kill 1', promise: 'live', hold_ms: 2_000, faults: [{ kind: 'kill', validators: [1] }] },
    {
      name: 'halves behind slow links',
      promise: 'halt',
      hold_ms: 2_500,
      faults: [
        { kind: 'degrade', links: 'all', latency_ms: 10, jitter_ms: 10 },
        {
          kind: 'partition',
          groups: [
            [0, 1],
            [2, 3],
          ],
        },
      ],
    },
    {
      name: '2 dies at a crash point',
      promise: 'live',
      hold_ms: 2_000,
      faults: [{ kind: 'crash_point', validator: 2, at: 30 }],
    },
    {
      name: 'log of 3 is torn',
      promise: 'live',
      hold_ms: 2_000,
      faults: [{ kind: 'damage', validator: 3, what: 'wal_tail' }],
    },
  ],
};

interface Report {
  readonly clean: boolean;
  readonly manifest: object;
  readonly blocks: number;
  readonly verdict: { readonly findings: readonly { readonly rule: string; readonly violations: readonly string[] }[] };
  readonly phases: readonly { readonly name: string }[];
}

describe('prime testnet chaos', () => {
  it('a kill, a partition, a crash point and a torn log: nothing is broken, and the report repeats the run', async () => {
    const [path, out] = [join(scratch, 'manifest.json'), join(scratch, 'out')];
    await writeFile(path, JSON.stringify(manifest));
    const { output } = await run(['testnet', 'chaos', '--manifest', path, '--out', out]);
    const report = JSON.parse(await readFile(join(out, 'report.json'), 'utf8')) as Report;
    expect(report.verdict.findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(report.clean).toBe(true);
    expect(report.manifest).toEqual(manifest);
    expect(report.phases.map(({ name }) => name)).toEqual(manifest.phases.map(({ name }) => name));
    expect(report.blocks).toBeGreaterThan(5);
    expect(output).toContain('ok  agreement: ');
    // The homes of a clean run are gone, its logs are not.
    expect((await readdir(out)).toSorted()).toEqual([
      'manifest.json',
      'report.json',
      'report.md',
      ...[0, 1, 2, 3].map((index) => `validator${index}.log`),
    ]);
  });

  it('a manifest that promises what can not be: nothing is started', async () => {
    const path = join(scratch, 'impossible.json');
    const phases = [{ name: 'two', promise: 'live', hold_ms: 1, faults: [{ kind: 'kill', validators: [0, 1] }] }];
    await writeFile(path, JSON.stringify({ ...manifest, phases }));
    const out = join(scratch, 'nothing');
    await expect(run(['testnet', 'chaos', '--manifest', path, '--out', out])).rejects.toThrow(
      /exited with 64: .*promises liveness with 2 of 4 validators affected.*CLI_MANIFEST_INVALID/,
    );
    await expect(readdir(out)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('the run is killed while a validator stands still: no process is left', async () => {
    const [path, out] = [join(scratch, 'paused.json'), join(scratch, 'killed')];
    const phases = [
      { name: 'pause 1', promise: 'live', hold_ms: 600_000, faults: [{ kind: 'pause', validators: [1] }] },
    ];
    await writeFile(path, JSON.stringify({ ...manifest, phases }));
    const runner = spawn(process.execPath, [cli, 'testnet', 'chaos', '--manifest', path, '--out', out], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await lineWith(runner, 'phase 1 of 1');
      const pids = await Promise.all(
        [0, 1, 2, 3].map(async (index) => Number(await readFile(join(out, `validator${index}`, 'node.pid'), 'utf8'))),
      );
      expect(pids.map(isAlive)).toEqual([true, true, true, true]);
      await until('validator1 stands still', async () => (await stateOf(pids[1]!)) === 'T');
      runner.kill('SIGKILL');
      for (const pid of pids) await until(`process ${pid} is gone`, async () => !isAlive(pid));
    } finally {
      runner.kill('SIGKILL');
    }
  });
});

async function lineWith(child: ChildProcess, words: string): Promise<void> {
  for await (const line of createInterface({ input: child.stdout! })) if (line.includes(words)) return;
  throw new Error(`it ended without: ${words}`);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** T is stopped by a signal. */
async function stateOf(pid: number): Promise<string> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', `${pid}`]);
  return stdout.trim().charAt(0);
}
