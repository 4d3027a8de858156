/**
 * Prints what is installed in a folder as CycloneDX, where npm was told to install some workspaces and nothing for development:
 *
 *   node scripts/sbom.mjs FOLDER > sbom.cdx.json
 *
 * npm compares with all that the root names, and refuses what is not whole. So the root is made to name what is there; deploy/Dockerfile runs this in a stage
 * whose root nobody needs afterwards.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const [folder] = process.argv.slice(2);
if (folder === undefined || !existsSync(join(folder, 'package.json'))) {
  process.stderr.write('prime: name the folder of an installation\n');
  process.exit(64);
}
const root = realpathSync(folder);
const scope = join(root, 'node_modules', '@prime');
const path = join(root, 'package.json');
const { devDependencies: _, optionalDependencies: __, ...manifest } = JSON.parse(readFileSync(path, 'utf8'));
const workspaces = readdirSync(scope).map((name) => relative(root, realpathSync(join(scope, name))));
writeFileSync(path, JSON.stringify({ ...manifest, workspaces }, null, 2));
const { status, stdout, stderr } = spawnSync('npm', ['sbom', '--sbom-format=cyclonedx', '--omit=dev'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
process.stderr.write(stderr);
process.stdout.write(stdout);
process.exitCode = status ?? 1;
