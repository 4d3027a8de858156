/**
 * Publishes each public package that `npm run pack` made and whose version the registry does not have; the release workflow runs it (docs/packages.md).
 *
 *   node scripts/publish.mjs [--from FOLDER] [--dry-run]
 *
 * Provenance needs a workflow that may sign (`id-token: write`); npm refuses without. `--dry-run` publishes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { publicPackages, shortName } from './lib/pack/publicPackages.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const shell = process.platform === 'win32';

/** @throws Error when the registry says neither: publishing could be wrong then */
function isPublished(wanted) {
  // Whoever called npm with --silent handed that down, and the reason is told at level error.
  const { status, stdout, stderr } = spawnSync('npm', ['view', wanted, 'version', '--json', '--loglevel=error'], {
    encoding: 'utf8',
    shell,
  });
  // A version that is not there is an empty answer; a package that is not there at all is 404.
  if (status === 0) return stdout.trim() !== '';
  if (stderr.includes('E404')) return false;
  throw new Error(`the registry does not say whether it has ${wanted}:\n${stderr.trimEnd()}`);
}

function main() {
  const { values } = parseArgs({ options: { from: { type: 'string' }, 'dry-run': { type: 'boolean' } } });
  const from = resolve(values.from ?? join(root, '.prime', 'pack'));
  const options = values['dry-run'] ? ['--dry-run'] : ['--provenance'];
  for (const description of publicPackages) {
    const name = shortName(description);
    const { version } = JSON.parse(readFileSync(join(from, name, 'package.json'), 'utf8'));
    const wanted = `${description.name}@${version}`;
    if (isPublished(wanted)) {
      process.stdout.write(`${wanted} is there already\n`);
      continue;
    }
    execFileSync('npm', ['publish', join(from, `${name}.tgz`), '--access', 'public', ...options], {
      stdio: ['ignore', 'ignore', 'inherit'],
      shell,
    });
    process.stdout.write(`${wanted} ${values['dry-run'] ? 'would be published' : 'is published'}\n`);
  }
}

try {
  main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = 1;
}
