/** How much of a public package a page loads that imports a part of it: minified, compressed, without viem. */
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { readText } from '../repo/repository.ts';
import { type Packed, publicNames } from './packed.ts';

export interface SizeLimit {
  readonly package: string;
  /** Names, or `*`. */
  readonly imports: readonly string[];
  /** Of the minified code, compressed with gzip. */
  readonly bytesMax: number;
}

export interface Size {
  readonly what: string;
  readonly bytes: number;
  readonly limit: number;
}

export const sizeLimits = (): readonly SizeLimit[] =>
  JSON.parse(readText('test/packages/sizes.json')) as readonly SizeLimit[];

const described = ({ package: name, imports }: SizeLimit): string =>
  imports.includes('*') ? `everything of ${name}` : `${imports.join(', ')} of ${name}`;

/** Lines of a table, as docs/packages.md has them. */
export const sizeTable = (limits: readonly SizeLimit[]): string =>
  limits.map((limit) => `| ${described(limit)} | ${limit.bytesMax} |`).join('\n');

const sourceOf = ({ package: name, imports }: SizeLimit): string =>
  imports.includes('*')
    ? `export * from '${name}';`
    : `import { ${imports.join(', ')} } from '${name}';\nconsole.log(${imports.join(', ')});`;

export async function measureEntries(packed: Packed): Promise<readonly Size[]> {
  const { build } = await import('esbuild');
  return Promise.all(
    sizeLimits().map(async (limit) => {
      const { outputFiles } = await build({
        stdin: { contents: sourceOf(limit), resolveDir: packed.folder },
        alias: Object.fromEntries(publicNames.map((name) => [`@prime/${name}`, join(packed.folder, name)])),
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        external: ['viem', 'viem/*', 'isows'],
        // Libraries that are no peers count; they are those of this repository.
        nodePaths: [join(import.meta.dirname, '..', '..', '..', 'node_modules')],
        write: false,
        logLevel: 'silent',
      });
      const bytes = gzipSync(outputFiles[0]!.contents, { level: 9 }).length;
      return { what: described(limit), bytes, limit: limit.bytesMax };
    }),
  );
}
