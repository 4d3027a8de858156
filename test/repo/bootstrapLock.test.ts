/** The lock of scripts/lib/lock.mjs, between real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { root } from './repository.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'prime-lock-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Takes the lock, writes `in`, does something, writes `out`, and lets go. */
function program(inside: string, timeoutMs = 20_000): string {
  const lockModule = pathToFileURL(join(root, 'scripts', 'lib', 'lock.mjs')).href;
  return `
    import { appendFileSync } from 'node:fs';
    import { acquireLock } from ${JSON.stringify(lockModule)};
    const write = (text) => appendFileSync(${JSON.stringify(join(folder, 'log'))}, text + '\\n');
    const release = await acquireLock(${JSON.stringify(join(folder, 'lock'))}, {
      purpose: 'a test', timeoutMs: ${timeoutMs}, onWait: (holder) => console.log('waits for ' + holder.pid),
    });
    write('in ' + process.pid);
    ${inside}
    write('out ' + process.pid);
    release();`;
}

function start(source: string) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, output, errors }));
  return { child, ended };
}

const log = (): string[] => readFileSync(join(folder, 'log'), 'utf8').trimEnd().split('\n');

describe('lock between processes', () => {
  it('six at once: one after another', async () => {
    const runs = Array.from(
      { length: 6 },
      () => start(program('await new Promise((resolve) => setImmediate(resolve));')).ended,
    );
    expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0]);
    const lines = log();
    expect(lines).toHaveLength(12);
    for (let index = 0; index < lines.length; index += 2)
      expect(lines[index + 1]).toBe(lines[index]!.replace('in', 'out'));
  });

  it('the holder was killed: the next one takes over', async () => {
    expect((await start(program("process.kill(process.pid, 'SIGKILL');")).ended).code).toBeNull();
    expect((await start(program('')).ended).code).toBe(0);
    expect(log()).toHaveLength(3);
  });

  it('held: the second says whom it waits for, and goes on when the first lets go', async () => {
    const first = start(
      program("console.log('held'); await new Promise((resolve) => process.stdin.once('end', resolve).resume());"),
    );
    await once(first.child.stdout, 'data');
    const second = start(program(''));
    const [said] = (await once(second.child.stdout, 'data')) as [string];
    expect(said).toContain(`waits for ${first.child.pid}`);
    first.child.stdin.end();
    expect((await first.ended).code).toBe(0);
    expect((await second.ended).code).toBe(0);
    expect(log()).toEqual([
      `in ${first.child.pid}`,
      `out ${first.child.pid}`,
      `in ${second.child.pid}`,
      `out ${second.child.pid}`,
    ]);
  });

  it('held too long: the second gives up and names the holder and the file', async () => {
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: process.pid, purpose: 'this test', nonce: 'n' }));
    const { code, errors } = await start(program('', 50)).ended;
    expect(code).toBe(1);
    expect(errors).toContain(`"this test" (process ${process.pid})`);
    expect(errors).toContain(join(folder, 'lock'));
  });
});
