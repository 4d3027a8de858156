/**
 * Format, lint, dead code and undeclared imports, as CI runs them. All checks run even when one fails, so that one run
 * shows everything. `--fix` repairs what can be repaired.
 */
import { spawnSync } from 'node:child_process';
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

let failed = false;
for (const { tool, args } of checks) {
  const bin = join(root, 'node_modules', '.bin', tool);
  const { status, error } = spawnSync(bin, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' });
  if (error) process.stderr.write(`${error.message}\n`);
  if (status !== 0) {
    failed = true;
    process.stderr.write(`prime: ${[tool, ...args].join(' ')} found something\n`);
  }
}
process.exitCode = failed ? 1 : 0;
