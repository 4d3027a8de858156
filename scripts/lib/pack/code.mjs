/**
 * JavaScript of a public package: its own modules, one file each under their own names, and what they use of private packages in shared chunks
 * below `internal`. Libraries stay imports.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { build } from 'esbuild';

const builtins = new Set([...builtinModules, ...builtinModules.map((name) => `node:${name}`)]);
const posix = (path) => path.split(sep).join('/');

/** `@scope/name` of `@scope/name/path`. */
const packageNameOf = (specifier) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const libraries = {
  name: 'libraries',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || packageNameOf(path).startsWith('@prime/') ? undefined : { path, external: true },
    ),
};

/** Own modules stay modules: an import between two of them is left as it is. */
const ownModules = (dist) => ({
  name: 'own-modules',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      const target = join(resolveDir, path);
      const isOwn = kind !== 'entry-point' && target.startsWith(dist + sep);
      return isOwn ? { path, external: true } : undefined;
    }),
});

const common = {
  bundle: true,
  format: 'esm',
  // Private packages say in their field `browser` what takes the place of WebAssembly and native addons.
  platform: 'browser',
  target: 'es2022',
  // Who loads a module that waits can not be loaded with `require`, and nothing behind it can be left out.
  supported: { 'top-level-await': false },
  logLevel: 'silent',
  metafile: true,
};

/** @returns own modules that can be reached from the entries, as absolute paths */
async function reachableModules(root, dist, entries) {
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: entries,
    outdir: join(dist, 'unused'),
    write: false,
    plugins: [libraries],
  });
  return Object.keys(metafile.inputs)
    .map((path) => join(root, path))
    .filter((path) => path.startsWith(dist + sep));
}

/**
 * @param root of the repository
 * @param dist folder of the built package
 * @param entries modules that its manifest exports
 * @param out folder for the modules
 * @returns {Promise<string[]>} names of the libraries that are imported
 * @throws Error for an import of a module of Node, which browsers do not have
 */
export async function buildCode({ root, dist, entries, out }) {
  const modules = await reachableModules(root, dist, entries);
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: modules,
    outbase: dist,
    outdir: out,
    splitting: true,
    chunkNames: 'internal/[name]-[hash]',
    sourcemap: true,
    plugins: [ownModules(dist), libraries],
  });
  const used = usedOutputs(metafile.outputs);
  for (const path of Object.keys(metafile.outputs)) {
    if (!used.has(path.replace(/\.map$/, ''))) rmSync(join(root, path));
    else if (path.endsWith('.map')) nameSources(root, join(root, path));
    else dropBareImports(join(root, path));
  }
  const imported = [...used]
    .flatMap((path) => metafile.outputs[path].imports)
    .filter(({ external, path }) => external && !path.startsWith('.'))
    .map(({ path }) => path);
  const ofNode = imported.filter((path) => builtins.has(path));
  if (ofNode.length > 0) throw new Error(`what browsers do not have is imported: ${[...new Set(ofNode)].join(', ')}`);
  return [...new Set(imported.map(packageNameOf))].toSorted((a, b) => (a < b ? -1 : 1));
}

/** The bundler also writes what only code imports that was left out. */
function usedOutputs(outputs) {
  const isOwn = ([path, { entryPoint }]) => entryPoint !== undefined && !path.includes('/internal/');
  const used = new Set(
    Object.entries(outputs)
      .filter(isOwn)
      .map(([path]) => path),
  );
  for (const path of used)
    for (const { path: next } of outputs[path].imports) if (outputs[next] !== undefined) used.add(next);
  return used;
}

/** Chunks that are imported for the order in which they run: none of them does anything when it is loaded. Lines stay, for the source maps. */
const dropBareImports = (path) =>
  writeFileSync(path, readFileSync(path, 'utf8').replace(/^import "\.{1,2}\/[^"\n]*";$/gm, ''));

/** Sources are in the map itself; their names say where they are in the repository, whatever folder it was built in. */
function nameSources(root, path) {
  const map = JSON.parse(readFileSync(path, 'utf8'));
  map.sources = map.sources.map((source) => `prime:///${posix(relative(root, join(dirname(path), source)))}`);
  writeFileSync(path, JSON.stringify(map));
}

/** Modules and declarations that a manifest exports, by entry: `{'.': {module, types}}`. */
export function entriesOf(folder, manifest) {
  const entries = {};
  for (const [name, target] of Object.entries(manifest.exports)) {
    if (typeof target !== 'object') continue;
    const entry = { module: join(folder, target.default), types: join(folder, target.types) };
    for (const path of Object.values(entry)) if (!existsSync(path)) throw new Error(`${path} is not built`);
    entries[name] = entry;
  }
  return entries;
}
