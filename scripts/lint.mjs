/**
 * Format, lint, dead code and undeclared imports, as CI runs them: beside each other, since most of them keep one core. All checks run even when one
 * fails, so that one run shows everything. `--fix` repairs what can be repaired.
 */
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const fix = process.argv.includes('--fix');

const checks = [
  { tool: 'biome', args: fix ? ['format', '--write'] : ['format'] },
  { tool: 'oxlint', args: ['--type-aware', '--deny-warnings', ...(fix ? ['--fix'] : [])] },
  ...(fix
    ? []
    : [
        // No hints: patterns are shared by all packages, and a package without benchmarks is no mistake.
        { tool: 'knip', args: ['--no-config-hints'] },
        // What ships must not lean on what only development has.
        { tool: 'knip', args: ['--no-config-hints', '--strict', '--include', 'dependencies,unlisted,unresolved'] },
      ]),
];

/** Runs a check to its end. @returns what it says, and whether it found nothing */
const run = ({ tool, args }) =>
  new Promise((resolve) => {
    const bin = join(root, 'node_modules', '.bin', tool);
    const child = spawn(bin, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8');
      stream.on('data', (text) => (said += text));
    }
    child.once('error', (error) => resolve({ said: `${error.message}\n`, isClean: false }));
    child.once('close', (status) => resolve({ said, isClean: status === 0 }));
  });

/** Two that repair the same file at one time would undo each other's work. */
async function inTurn() {
  const results = [];
  for (const check of checks) results.push(await run(check));
  return results;
}

const results = await (fix ? inTurn() : Promise.all(checks.map(run)));
for (const [index, { said, isClean }] of results.entries()) {
  process.stderr.write(said);
  const { tool, args } = checks[index];
  if (!isClean) process.stderr.write(`prime: ${[tool, ...args].join(' ')} found something\n`);
}
process.exitCode = results.every(({ isClean }) => isClean) ? 0 : 1;
