/** How much of a public package a page loads that imports a part of it: minified, compressed, without viem. */
import { gzipSync } from 'node:zlib';
import { readText } from '../repo/repository.ts';
import { bundle } from './bundling.ts';
import type { Packed } from './packed.ts';

export interface SizeLimit {
  /** Package, or one entry of it. */
  readonly package: string;
  /** What a program does with it, in the table of the package's README. */
  readonly for?: string;
  /** Names, or `*`. */
  readonly imports: readonly string[];
  /** Of the minified code, compressed with gzip. */
  readonly bytesMax: number;
}

export interface Size {
  readonly what: string;
  readonly for: string | null;
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

/** Figures of a README, in bytes, by what a program does: the rows `| place an order | … | 16.6 kB |`. */
export const toldSizes = (readme: string): ReadonlyMap<string, number> =>
  new Map(
    [...readme.matchAll(/^\| ([^|]+) \| [^|]+ \| ([\d.]+) kB \|$/gm)].map(([, what, kilobytes]) => [
      what!,
      Number(kilobytes) * 1000,
    ]),
  );

const sourceOf = ({ package: name, imports }: SizeLimit): string =>
  imports.includes('*')
    ? `export * from '${name}';`
    : `import { ${imports.join(', ')} } from '${name}';\nconsole.log(${imports.join(', ')});`;

export async function measureEntries(packed: Packed): Promise<readonly Size[]> {
  return Promise.all(
    sizeLimits().map(async (limit) => {
      const code = await bundle(packed, sourceOf(limit), { external: ['viem', 'viem/*', 'isows'] });
      const bytes = gzipSync(code, { level: 9 }).length;
      return { what: described(limit), for: limit.for ?? null, bytes, limit: limit.bytesMax };
    }),
  );
}
