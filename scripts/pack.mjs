/**
 * Builds the folders from which public packages are published, and packs them (docs/packages.md):
 *
 *   npm run pack [-- --out FOLDER] [--approve]
 *
 * Writes `FOLDER/NAME` and `FOLDER/NAME.tgz` of each public package, and its API report to `FOLDER/api`; FOLDER is .prime/pack. `--approve` writes
 * the reports into the repository as well. Needs a built repository.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildCode, entriesOf } from './lib/pack/code.mjs';
import { buildDeclarations } from './lib/pack/declarations.mjs';
import { publishedManifest } from './lib/pack/manifest.mjs';
import { publicPackages, shortName } from './lib/pack/publicPackages.mjs';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

/** Manifests of all workspaces by name. */
const manifests = new Map(
  ['packages', 'apps'].flatMap((group) =>
    readdirSync(join(root, group))
      .map((name) => join(root, group, name, 'package.json'))
      .filter((path) => existsSync(path))
      .map((path) => readJson(path))
      .map((manifest) => [manifest.name, manifest]),
  ),
);

/** `sdk.api.md` of the main entry, `sdk.light.api.md` of the entry `./light`. */
const reportName = (name, entry) => `${[name, ...entry.split('/').slice(1)].join('.')}.api.md`;

/** @returns paths of the reports that were made, by where they belong in the repository */
async function packOne(description, out) {
  const name = shortName(description);
  const folder = join(root, description.folder);
  const target = join(out, name);
  const manifest = manifests.get(description.name);
  const entries = entriesOf(folder, manifest);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const libraries = await buildCode({
    root,
    dist: join(folder, 'dist'),
    entries: Object.values(entries).map(({ module }) => module),
    out: join(target, 'dist'),
  });
  const reports = Object.entries(entries).map(([entry, { types }]) => {
    const report = join(out, 'api', reportName(name, entry));
    buildDeclarations({ folder, types, out: join(target, types.slice(folder.length)), report });
    return { report, approved: join(folder, 'etc', reportName(name, entry)) };
  });
  for (const asset of description.assets) cpSync(join(folder, asset), join(target, asset), { recursive: true });
  for (const file of ['README.md', 'CHANGELOG.md'])
    if (existsSync(join(folder, file))) copyFileSync(join(folder, file), join(target, file));
  copyFileSync(join(root, 'LICENSE'), join(target, 'LICENSE'));
  const published = publishedManifest({
    description,
    manifest,
    root: readJson(join(root, 'package.json')),
    manifests,
    libraries,
    environment: process.env,
  });
  writeFileSync(join(target, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  await run('npm', ['pack', '--silent', `--pack-destination=${out}`], {
    cwd: target,
    shell: process.platform === 'win32',
  });
  renameSync(join(out, `prime-${name}-${manifest.version}.tgz`), join(out, `${name}.tgz`));
  return reports;
}

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string' }, approve: { type: 'boolean' } } });
  const out = resolve(values.out ?? join(root, '.prime', 'pack'));
  mkdirSync(out, { recursive: true });
  for (const description of publicPackages) {
    for (const { report, approved } of await packOne(description, out)) {
      if (!values.approve) continue;
      mkdirSync(dirname(approved), { recursive: true });
      copyFileSync(report, approved);
    }
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = 1;
}
