/** Hardhat 2 against a Prime network, by its command line: see lib/report.mjs for what it is given and what it tells. */
import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readTask } from './lib/report.mjs';

const task = readTask();
const execute = promisify(execFile);
const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const hardhat = createRequire(import.meta.url).resolve('hardhat/internal/cli/bootstrap.js');
const env = {
  PATH: process.env.PATH,
  HOME: task.directory,
  CI: 'true',
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  PRIME_TASK: JSON.stringify(task),
};
const run = async (...args) => {
  const options = { cwd: at('hardhat'), env };
  return (await execute(process.execPath, [hardhat, '--config', at('hardhat/hardhat.config.cjs'), ...args], options))
    .stdout;
};

await mkdir(join(task.directory, 'contracts'));
await copyFile(at('contracts/Probe.sol'), join(task.directory, 'contracts', 'Probe.sol'));
await run('compile');
for (const [network, script] of [
  ['prime', 'checks.mjs'],
  ['unlocked', 'unlocked.mjs'],
])
  process.stdout.write(await run('run', '--no-compile', '--network', network, at(`hardhat/${script}`)));
