/**
 * Puts the `prime` program and the threads of a node into few files below apps/cli/dist/bundle: finding and reading a thousand small modules
 * in each thread is most of the time that a node needs to start (docs/adr/0074-bundled-programs.md).
 */
import { readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'apps', 'cli', 'dist');
const node = join(root, 'apps', 'node', 'dist');

/** Packages that load files of their own: native addons, WebAssembly, workers. */
const external = [
  '@peculiar/x509',
  'classic-level',
  'msgpackr',
  'pino-pretty',
  'piscina',
  'reflect-metadata',
  'secp256k1',
  'tiny-secp256k1',
  'uWebSockets.js',
];
/** What CommonJS packages call, which a module has not by itself. */
const require =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);";

/** The module that says where threads are stays a file of its own, and the threads keep their place relative to it. */
const workerFile = { in: join(node, 'workerFile.js'), out: 'workerFile' };
const workers = readdirSync(node, { recursive: true })
  .filter((path) => path.endsWith('.worker.js') && !path.startsWith('testing'))
  .map((path) => ({ in: join(node, path), out: path.replace(/\.js$/, '') }));

/** @returns null where esbuild, which has no binary for every platform, is not installed */
const bundler = await import('esbuild').catch(() => null);
const target = join(cli, 'bundle');
const next = join(cli, 'bundle.next');
const previous = join(cli, 'bundle.previous');
for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
if (bundler === null) rmSync(target, { recursive: true, force: true });
else {
  // One build for each: a thread does not read and compile what only the others need.
  for (const entryPoint of [{ in: join(cli, 'prime.js'), out: 'prime' }, ...workers])
    await bundler.build({
      absWorkingDir: root,
      entryPoints: [entryPoint, workerFile],
      outdir: relative(root, next),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      external,
      banner: { js: require },
      logLevel: 'warning',
    });
  // A program that starts meanwhile finds the old files or the new ones.
  rmSync(previous, { recursive: true, force: true });
  try {
    renameSync(target, previous);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  renameSync(next, target);
  rmSync(previous, { recursive: true, force: true });
}
