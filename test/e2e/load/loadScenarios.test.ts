/** A few scenarios of `prime load`, on one network; test/nightly has all of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rate, seconds, testScenarios } from './scenarioRuns.ts';
import { cli } from '../operations/program.ts';

/** Orders, what contracts do to them, and transactions of the EVM. */
const runScenario = testScenarios(['maker', 'contract-orders', 'transfers']);

describe('workers that are processes of their own', () => {
  const token = 'a token that both of them have';
  const workers: ChildProcess[] = [];
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'prime-load-'));
    await writeFile(join(folder, 'token'), token);
  });
  afterAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  /** `prime load worker`, and where it says that it listens. */
  async function startWorker(): Promise<string> {
    const args = [cli, 'load', 'worker', '--listen', '127.0.0.1:0', '--token-file', join(folder, 'token')];
    const worker = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    workers.push(worker);
    for await (const line of createInterface(worker.stdout!)) {
      const place = /listens on (\S+)/.exec(line)?.[1];
      if (place !== undefined) return place;
    }
    throw new Error('the worker ended before it listened');
  }

  it('send what is asked together; one that dies is named, and nothing that it sent is unaccounted for', async () => {
    const workersAt = [await startWorker(), await startWorker()];
    let isKilled = false;
    const report = await runScenario('maker', 0, () => Promise.resolve(), {
      seed: 2,
      asked: { kind: 'open', arrivals: 'constant', stages: [{ name: 'hold', fromRate: rate, toRate: rate, seconds }] },
      workersAt,
      token,
      onProgress: () => {
        if (!isKilled) workers[1]!.kill('SIGKILL');
        isKilled = true;
      },
    });
    expect(report.verdict.findings.flatMap(({ violations }) => violations)).toEqual([]);
    expect(report.generator.workers.map(({ name, died }) => [name, died === null])).toEqual([
      [workersAt[0], true],
      [workersAt[1], false],
    ]);
    expect(report.generator.unfit).toContain(`${workersAt[1]} died`);
    // Half of all, and what the other one had told before.
    expect(report.totals.sent).toBeGreaterThanOrEqual((rate * seconds) / 2);
    expect(report.totals.sent).toBeLessThan(rate * seconds);
  });
});
