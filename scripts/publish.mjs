/**
 * Publishes each public package that `npm run pack` made and whose version the registry does not have; the release workflow runs it (docs/packages.md).
 *
 *   node scripts/publish.mjs [--from FOLDER] [--dry-run]
 *   node scripts/publish.mjs --wanted    prints what it would publish of this commit, in one line; nothing while changesets wait for their version
 *
 * Provenance needs a workflow that may sign (`id-token: write`); npm refuses without. `--dry-run` publishes nothing.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
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

const versionIn = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version;

/** What the registry lacks. With a changeset that waits, code is newer than its version says. */
function wantedOfCommit() {
  const changesets = readdirSync(join(root, '.changeset')).filter((file) => file.endsWith('.md'));
  if (changesets.some((file) => file !== 'README.md')) return [];
  return publicPackages
    .map(({ name, folder }) => `${name}@${versionIn(join(root, folder))}`)
    .filter((wanted) => !isPublished(wanted));
}

function main() {
  const { values } = parseArgs({
    options: { from: { type: 'string' }, 'dry-run': { type: 'boolean' }, wanted: { type: 'boolean' } },
  });
  if (values.wanted) {
    process.stdout.write(`${wantedOfCommit().join(' ')}\n`);
    return;
  }
  const from = resolve(values.from ?? join(root, '.prime', 'pack'));
  const options = values['dry-run'] ? ['--dry-run'] : ['--provenance'];
  for (const description of publicPackages) {
    const name = shortName(description);
    const wanted = `${description.name}@${versionIn(join(from, name))}`;
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
