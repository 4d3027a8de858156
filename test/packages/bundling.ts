/** Packed packages as a bundler for browsers takes them: by their `exports`, and with nothing that stands in for what only Node.js has. */
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../repo/repository.ts';
import { type Packed, publicNames } from './packed.ts';

export interface BundleOptions {
  /** Libraries that are left out. */
  readonly external?: readonly string[];
  /** Folder that relative imports of the source are from. */
  readonly from?: string;
}

/**
 * @param source a module in TypeScript
 * @returns minified code
 * @throws what esbuild says, also where something of Node.js is imported
 */
export async function bundle(packed: Packed, source: string, options: BundleOptions = {}): Promise<Uint8Array> {
  const { build } = await import('esbuild');
  const modules = await linkPackages(packed);
  const { outputFiles } = await build({
    stdin: { contents: source, loader: 'ts', resolveDir: options.from ?? packed.folder },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    external: [...(options.external ?? [])],
    // Libraries are those of this repository; the packages themselves must not be.
    nodePaths: [modules, join(root, 'node_modules')],
    plugins: [
      {
        name: 'packed',
        setup: ({ onResolve, resolve }) =>
          onResolve({ filter: /^@prime\// }, ({ path, kind, pluginData }) =>
            pluginData === 'packed'
              ? undefined
              : resolve(path, { kind, resolveDir: packed.folder, pluginData: 'packed' }),
          ),
      },
    ],
    write: false,
    logLevel: 'silent',
  });
  return outputFiles[0]!.contents;
}

/** A folder of modules beside the packages, as npm would make it. */
async function linkPackages(packed: Packed): Promise<string> {
  const modules = join(packed.folder, 'node_modules');
  await mkdir(join(modules, '@prime'), { recursive: true });
  for (const name of publicNames)
    await symlink(packed.package(name), join(modules, '@prime', name), 'junction').catch((error: unknown) => {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    });
  return modules;
}
