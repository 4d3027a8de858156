/**
 * Makes the reference of the SDK as pages (docs/sdk/reference.md), from the declarations that are published:
 *
 *   npm run docs:sdk [-- --out FOLDER]
 *
 * FOLDER is .prime/docs/sdk; what it held is replaced. Needs a built repository. TypeDoc is a project of its own in scripts/typedoc, which is installed when it is missing.
 * Exit code 3: it is not installed and the package registry is out of reach.
 */
import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled, isUnreachable } from './lib/install.mjs';
import { run } from './lib/run.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const root = join(scripts, '..');
const typedoc = join(scripts, 'typedoc');
const unreachableExit = 3;

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string' } } });
  const out = resolve(values.out ?? join(root, '.prime', 'docs', 'sdk'));
  await ensureInstalled(typedoc, 'TypeDoc');
  // Inside of the repository, where viem is found.
  const packages = join(root, '.prime', 'docs', 'packages');
  await run(process.execPath, [join(scripts, 'pack.mjs'), '--out', packages], { cwd: root });
  const sdk = join(packages, 'sdk');
  const entries = ['index.d.ts', join('explain', 'index.d.ts'), join('light', 'index.d.ts')].map((file) =>
    join(sdk, 'dist', file),
  );
  const project = join(packages, 'typedoc.tsconfig.json');
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    module: 'NodeNext',
    moduleResolution: 'NodeNext',
    strict: true,
    skipLibCheck: true,
    types: [],
  };
  writeFileSync(project, JSON.stringify({ compilerOptions, files: entries }));
  const options = {
    tsconfig: project,
    entryPoints: entries,
    name: '@prime/sdk',
    // The one of the repository: its links lead to files that come along.
    readme: join(root, 'packages', 'sdk', 'README.md'),
    out,
    // Of files that nobody has.
    disableSources: true,
    excludeExternals: true,
    // Shapes that the API uses and does not name stand where they are used; the API reports mark them.
    validation: { notExported: false },
    treatWarningsAsErrors: true,
    logLevel: 'Warn',
  };
  const file = join(packages, 'typedoc.json');
  writeFileSync(file, JSON.stringify(options));
  await run(process.execPath, [join(typedoc, 'node_modules', 'typedoc', 'bin', 'typedoc'), '--options', file], {
    cwd: typedoc,
  });
  process.stdout.write(`${join(out, 'index.html')}\n`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = isUnreachable(error) ? unreachableExit : 1;
}
