/**
 * Makes a clone ready to run: right Node version, dependencies installed, code built. Runs before `npm start`, `npm test`
 * and the like, uses nothing but what Node brings, and takes well under a second when there is nothing to do.
 *
 * `--no-build` stops after the dependencies.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeVersionProblem } from './lib/nodeVersion.mjs';
import { lostArgumentsProblem } from './lib/npmArguments.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** An installation over a slow line and a cold build; whoever waits longer is told whom to look at. */
const lockTimeoutMs = 10 * 60_000;

function fail(message) {
  process.stderr.write(`prime: ${message}\n`);
  process.exit(1);
}

const problem = nodeVersionProblem(process.versions.node);
if (problem !== null) fail(problem);
const lost = lostArgumentsProblem(process.env);
if (lost !== null) fail(lost);

// Imported late: what follows may use syntax and modules that an old Node does not know.
const { acquireLock } = await import('./lib/lock.mjs');
const { ensureInstalled } = await import('./lib/install.mjs');

try {
  const release = await acquireLock(join(root, '.prime', 'bootstrap.lock'), {
    purpose: `npm run ${process.env.npm_lifecycle_event ?? 'bootstrap'}`,
    timeoutMs: lockTimeoutMs,
    onWait: (holder) =>
      process.stderr.write(
        `prime: waiting for "${holder.purpose}" (process ${holder.pid}), which is preparing this clone ...\n`,
      ),
  });
  try {
    await ensureInstalled(root);
    if (!process.argv.includes('--no-build')) {
      const fresh = !existsSync(join(root, 'packages', 'primitives', 'dist'));
      if (fresh) process.stderr.write('prime: building ...\n');
      const { build } = await import('./build.mjs');
      await build();
    }
  } finally {
    release();
  }
} catch (error) {
  fail(error.message);
}
