/**
 * Puts the `prime` program and the threads of a node into few files below apps/cli/dist/bundle: finding and reading a thousand small modules
 * in each thread is most of the time that a node needs to start (docs/adr/0074-bundled-programs.md).
 */
import { cpSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const cli = join(root, 'apps', 'cli', 'dist');
const node = join(root, 'apps', 'node', 'dist');

/** Packages that load files of their own: native addons, WebAssembly, workers, scenarios. */
const external = [
  '@peculiar/x509',
  '@prime/load',
  'classic-level',
  'msgpackr',
  'pino-pretty',
  'piscina',
  'reflect-metadata',
  'secp256k1',
  'tiny-secp256k1',
  'uWebSockets.js',
  'uWebSockets.js-20.30',
];
/** Packages of many parts of which one is used, by their form that lets the rest be left out. */
const alias = { 'hash-wasm': 'hash-wasm/dist/index.esm.js' };
/** Nobody reads generated code in a stack trace: of 2.4 MB of validators a gateway parses 1.4. */
const smallGenerated = {
  name: 'small-generated',
  setup: (build) =>
    build.onLoad({ filter: /[/\\]generated[/\\][^/\\]+\.js$/ }, async ({ path }) => ({
      contents: (await build.esbuild.transform(readFileSync(path, 'utf8'), { minify: true })).code,
    })),
};
/** What CommonJS packages call, which a module has not by itself. */
const require =
  "import { createRequire as createBundleRequire } from 'node:module'; const require = createBundleRequire(import.meta.url);";

const entry = (folder, path, out = path.replace(/\.js$/, '')) => ({ in: join(folder, path), out });
const beside = (folder, path) => entry(folder, path, basename(path, '.js'));
/** Modules that say where others are stay files of their own, to which the threads and the entry of the program keep their place. */
const places = ['testnet/program.js', 'testnet/monitoringPlace.js', 'explorer/sitePlace.js'].map((path) =>
  beside(cli, path),
);
places.push(beside(node, 'workerFile.js'));
const workers = readdirSync(node, { recursive: true })
  .filter((path) => path.endsWith('.worker.js') && !path.startsWith('testing'))
  .map((path) => entry(node, path));
/** What is loaded when it is needed. Chunks may be anywhere in the program, so all of that lies in one folder. */
const commands = ['program.js', 'commandGroups.js'].flatMap((path) => [
  ...readFileSync(join(cli, path), 'utf8').matchAll(/import\('\.\/(commands\/[\w/]+\.js)'\)/g),
]);
const loadedLater = [...new Set(commands.map(([, path]) => path))]
  .map((path) => beside(cli, path))
  .concat(beside(node, 'restore/stateSync.js'));
const outOf = new Map(loadedLater.map((module) => [module.in, module.out]));
const loadLater = {
  name: 'load-later',
  setup: (build) =>
    build.onResolve({ filter: /^\./ }, ({ path, kind, resolveDir }) => {
      const out = kind === 'dynamic-import' ? outOf.get(join(resolveDir, path)) : undefined;
      return out === undefined ? undefined : { path: `./${out}.js`, external: true };
    }),
};

// What prime testnet gives to Prometheus and Grafana.
const monitoring = join(cli, 'monitoring');
rmSync(monitoring, { recursive: true, force: true });
for (const [from, to] of [
  ['grafana', 'grafana'],
  [join('prometheus', 'prime.rules.yaml'), 'prime.rules.yaml'],
])
  cpSync(join(root, 'deploy', from), join(monitoring, to), { recursive: true });

/** @returns null where esbuild, which has no binary for every platform, is not installed */
const bundler = await import('esbuild').catch(() => null);
const target = join(cli, 'bundle');
const next = join(cli, 'bundle.next');
const previous = join(cli, 'bundle.previous');
for (const folder of [next, previous]) rmSync(folder, { recursive: true, force: true });
if (bundler === null) rmSync(target, { recursive: true, force: true });
else {
  // One build for each: a thread or a command does not read and compile what only the others need. Who lists all commands loads them from one build.
  for (const entryPoint of [entry(cli, 'prime.js'), ...loadedLater, ...workers])
    await bundler.build({
      absWorkingDir: root,
      entryPoints: [entryPoint, ...places],
      outdir: relative(root, next),
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: true,
      sourcesContent: false,
      external,
      alias,
      plugins: entryPoint.out === 'every' ? [smallGenerated] : [smallGenerated, loadLater],
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
