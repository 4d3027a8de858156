/**
 * Builds the repository: the compiler, and then the code that is generated from compiled code. Says nothing when all is
 * well. Called by bootstrap.mjs, which holds the lock that keeps two builds apart.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './lib/run.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** The compiler's records of all workspaces. */
const records = ['packages', 'apps'].flatMap((group) =>
  readdirSync(join(root, group))
    // The page is no part of the program.
    .filter((name) => name !== 'explorer')
    .map((name) => `${group}/${name}/dist/.tsbuildinfo`),
);

const stylesBelow = (folder) =>
  readdirSync(join(root, folder), { recursive: true })
    .filter((name) => name.endsWith('.css'))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/**
 * Steps after the compiler. Each runs only when one of its inputs changed since it last succeeded.
 *
 * The compiler's own record of a project names the content of all its sources, so it stands for them as an input.
 */
const generators = [
  {
    script: 'packages/load/scripts/generatePage.mjs',
    inputs: [
      'packages/load/dist/.tsbuildinfo',
      'packages/load/dist/report/page/.tsbuildinfo',
      ...stylesBelow('packages/load/src/report/page'),
    ],
    output: 'packages/load/dist/generated/reportPage.js',
  },
  {
    script: 'apps/explorer/scripts/build.mjs',
    inputs: [
      'package-lock.json',
      'apps/explorer/index.html',
      'apps/explorer/public/mark.svg',
      'apps/explorer/vite.config.mjs',
      ...['codec', 'consensus', 'contracts', 'crypto', 'primitives', 'sdk'].map(
        (name) => `packages/${name}/dist/.tsbuildinfo`,
      ),
      'apps/explorer/dist/.tsbuildinfo',
      // The compiler does not read them.
      ...stylesBelow('apps/explorer/src'),
    ],
    output: 'apps/explorer/dist/site/index.html',
    stamp: 'apps/explorer/dist/site.stamp',
  },
  {
    script: 'scripts/explorerSite.mjs',
    // What the pages were made from, so that files without a hash in their name are noticed too.
    inputs: ['apps/explorer/dist/site.stamp'],
    output: 'apps/cli/dist/site/index.html',
    // What lies in the folder is served.
    stamp: 'apps/cli/dist/site.stamp',
  },
  {
    script: 'scripts/bundle.mjs',
    inputs: [
      'package-lock.json',
      'packages/rpc/dist/generated/validators.js',
      'packages/load/dist/generated/reportPage.js',
      ...records,
    ],
    output: 'apps/cli/dist/bundle/prime.js',
  },
];

/**
 * What is made from the definitions of rpc. The types of the SDK are sources: they are kept in git, and written where they are not what
 * the definitions say.
 */
const rpcGenerators = [
  {
    script: 'packages/rpc/scripts/generateValidators.mjs',
    inputs: ['packages/rpc/dist/.tsbuildinfo', 'package-lock.json'],
    output: 'packages/rpc/dist/generated/validators.js',
  },
  {
    script: 'packages/sdk/scripts/generateMethods.mjs',
    inputs: ['packages/rpc/dist/.tsbuildinfo', 'packages/sdk/src/generated/methods.ts'],
    output: 'packages/sdk/src/generated/methods.ts',
    stamp: 'packages/rpc/dist/generated/methods.stamp',
  },
];

/** @throws Error with the compiler's words when the code does not compile */
export async function build() {
  // The SDK's types are made from rpc's definitions, so those come first: else a method that both sides learn at once would never compile.
  await compile('packages/rpc');
  for (const generator of rpcGenerators) await generate(generator);
  await compile();
  for (const generator of generators) await generate(generator);
}

const compile = (...projects) => run(process.execPath, [compiler, '-b', ...projects], { cwd: root });

async function generate({ script, inputs, output, stamp = `${output}.stamp` }) {
  const stampPath = join(root, stamp);
  const digestOfInputs = () => {
    const digest = createHash('sha256');
    for (const input of [script, ...inputs])
      digest.update(existsSync(join(root, input)) ? readFileSync(join(root, input)) : '');
    return digest.digest('hex');
  };
  const wanted = digestOfInputs();
  if (existsSync(join(root, output)) && existsSync(stampPath) && readFileSync(stampPath, 'utf8') === wanted) return;
  await run(process.execPath, [join(root, script)], { cwd: root });
  // A step that could not make anything here, and said nothing, is tried again the next time.
  if (existsSync(join(root, output))) writeFileSync(stampPath, digestOfInputs());
}

// Also a program of its own, for a clone whose dependencies are there already.
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    await build();
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
