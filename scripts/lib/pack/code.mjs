/**
 * JavaScript of a public package: its own modules, one file each under their own names, and those that they use of private packages below `internal`.
 * Libraries stay imports.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
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

/** Stands before the place of a module in what the bundler writes, until it is known what that is relative to. */
const placeScheme = 'prime-module:';

/**
 * Modules stay modules, so that programs leave out those that they do not use: an import of one that is kept becomes an import of its place, and
 * one that only hands on others, or of which nothing is used, is dissolved.
 */
const keptModules = (placeOf) => ({
  name: 'kept-modules',
  setup: ({ onResolve, resolve }) =>
    onResolve({ filter: /^(?:\.\.?\/|@prime\/)/ }, async ({ path, kind, resolveDir, importer, pluginData }) => {
      if (kind === 'entry-point' || pluginData === 'asked') return undefined;
      const found = await resolve(path, { kind, resolveDir, importer, pluginData: 'asked' });
      const place = placeOf(found.path);
      // Modules of this repository do nothing when they are loaded.
      return place === null
        ? { ...found, sideEffects: false }
        : { path: `${placeScheme}${place}`, external: true, sideEffects: false };
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

/**
 * @returns {Promise<Map<string, string>>} where each module is published, by its absolute path: own ones that can be reached from the entries, and those of private
 *   packages of which something is used
 */
async function placesOf(root, dist, entries) {
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: entries,
    outdir: join(dist, 'unused'),
    splitting: true,
    write: false,
    plugins: [libraries],
  });
  const isUsed = new Set(
    Object.values(metafile.outputs).flatMap(({ inputs }) =>
      Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0),
    ),
  );
  const places = new Map();
  for (const input of Object.keys(metafile.inputs)) {
    const path = join(root, input);
    const [, name, rest] = /^packages\/([\w-]+)\/dist\/(.+)$/.exec(posix(input)) ?? [];
    if (path.startsWith(dist + sep)) places.set(path, posix(relative(dist, path)));
    else if (name !== undefined && isUsed.has(input)) places.set(path, `internal/${name}/${rest}`);
  }
  return places;
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
  const places = await placesOf(root, dist, entries);
  const { metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: [...places].map(([path, place]) => ({ in: path, out: place.replace(/\.js$/, '') })),
    outdir: out,
    sourcemap: true,
    plugins: [keptModules((path) => places.get(path) ?? null), libraries],
  });
  const outputs = Object.keys(metafile.outputs);
  for (const path of outputs) {
    if (path.endsWith('.map')) nameSources(root, join(root, path));
    else writeImports(out, join(root, path));
  }
  const imported = outputs
    .flatMap((path) => metafile.outputs[path].imports)
    .filter(({ external, path }) => external && !path.startsWith(placeScheme))
    .map(({ path }) => path);
  const ofNode = imported.filter((path) => builtins.has(path));
  if (ofNode.length > 0) throw new Error(`what browsers do not have is imported: ${[...new Set(ofNode)].join(', ')}`);
  return [...new Set(imported.map(packageNameOf))].toSorted((a, b) => (a < b ? -1 : 1));
}

/** Imports of places become relative to the module that they stand in. Lines stay, for the source maps. */
function writeImports(out, path) {
  const from = dirname(posix(relative(out, path)));
  const code = readFileSync(path, 'utf8').replaceAll(/"prime-module:([^"\n]+)"/g, (_, place) => {
    const to = posix(relative(from, place));
    return JSON.stringify(to.startsWith('.') ? to : `./${to}`);
  });
  writeFileSync(path, code);
}

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
