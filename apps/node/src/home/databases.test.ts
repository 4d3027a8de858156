import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const program = fileURLToPath(new URL('../testing/databaseThreads.worker.js', import.meta.url));
const run = promisify(execFile);

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'prime-databases-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

describe('databases that the threads of a node share', () => {
  it('the thread that opened one before the others ends: the others read on', async () => {
    await expect(run(process.execPath, [program, home])).resolves.toEqual({ stdout: '', stderr: '' });
  });
});
