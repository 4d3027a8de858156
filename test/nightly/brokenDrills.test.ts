import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freeBasePort, run } from '@prime/testkit';
import { type DrillReport, lookAtDrill, portsOfDrill } from '../e2e/operations/drilling.ts';
import { cli } from '../e2e/operations/program.ts';

/** What a drill leaves behind through the real command: nothing where it proved what it says, everything where it did not. */
let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'prime-drill-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

describe('prime drill', () => {
  it('lose-region: goes on, stands still, resumes, and the folder is gone', async () => {
    const report = await lookAtDrill('lose-region', scratch, ['--validators', '4']);
    expect(report.steps.map(({ promise }) => promise)).toEqual(['live', 'halt']);
    expect(report.folder).toBeNull();
    expect(await readdir(scratch)).toEqual([]);
  });

  it('resume-after-halt whose validators lost everything meanwhile: not proved, and it says what does not hold', async () => {
    const out = join(scratch, 'broken');
    const port = `${await freeBasePort(portsOfDrill)}`;
    const args = ['drill', 'resume-after-halt', '--out', out, '--patience', '20', '--json', '--base-port', port];
    const drill = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    try {
      const ended = once(drill, 'close');
      const json = textOf(drill);
      await lineWith(drill, /step 1: all validators are killed/);
      await lineWith(drill, /all validators are down/);
      // It does nothing until the disks of all machines are as if nothing had ever been: what was signed and acknowledged is forgotten.
      drill.kill('SIGSTOP');
      for (const index of [0, 1, 2, 3])
        for (const name of ['blocks', 'state', 'wal', 'sign-state.bin'])
          rmSync(join(out, `validator${index}`, name), { recursive: true });
      drill.kill('SIGCONT');
      expect(await ended).toEqual([1, null]);
      const report = JSON.parse(await json) as DrillReport;
      expect(report.proved).toBe(false);
      const broken = new Map(report.findings.map(({ rule, violations }) => [rule, violations.join('\n')]));
      expect(broken.get('acknowledged writes')).toMatch(/(?:transfer|order|deposit) 0x\w+ \(.*\) on validator0: /);
      expect(broken.get('no second signature')).toMatch(/0x\w+ signed two \w+s at height \d+, round \d+: .* and /);
      // What went wrong can be looked into.
      expect(report.folder).toBe(out);
      expect(await readdir(out)).toEqual(expect.arrayContaining(['report.json', 'validator0', 'validator0.log']));
    } finally {
      drill.kill('SIGKILL');
    }
    // Nor is it overwritten by the next one.
    await expect(run(['drill', 'resume-after-halt', '--out', out])).rejects.toThrow(/is not empty.*\[CLI_NOT_EMPTY\]/);
  });
});

async function textOf(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const part of child.stdout!) text += String(part);
  return text;
}

/** Reads the error output up to a line, and goes on reading so that nobody waits for it. */
async function lineWith(child: ChildProcess, words: RegExp): Promise<void> {
  const lines = createInterface({ input: child.stderr! });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => words.test(line) && resolve());
    lines.once('close', () => reject(new Error(`it ended without: ${words}`)));
  });
}
