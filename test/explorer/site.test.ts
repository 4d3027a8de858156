/** What the built site is made of: how much of it a first visit loads, and that nothing in it asks anybody else for anything. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { root } from '../repo/repository.ts';

const dist = join(root, 'apps', 'explorer', 'dist');

interface Chunk {
  readonly file: string;
  readonly isEntry: boolean;
  readonly imports: readonly string[];
  readonly dynamicImports: readonly string[];
  readonly styles: readonly string[];
  readonly modules: readonly string[];
}
const chunks = JSON.parse(readFileSync(join(dist, 'site.json'), 'utf8')) as readonly Chunk[];
const chunkOf = (file: string): Chunk => chunks.find((chunk) => chunk.file === file)!;

/** A chunk with all that it needs before it runs. */
function loadedWith(start: Chunk): readonly Chunk[] {
  const found = new Set<Chunk>([start]);
  for (const chunk of found) for (const file of chunk.imports) found.add(chunkOf(file));
  return [...found];
}
const entry = chunks.find(({ isEntry }) => isEntry)!;
const pageChunk = (name: string): Chunk =>
  chunks.find(({ modules }) => modules.some((module) => module.endsWith(`src/pages/${name}/page.tsx`)))!;
const firstLoad = (page: string): readonly Chunk[] => [
  ...new Set([...loadedWith(entry), ...loadedWith(pageChunk(page))]),
];

/** What a first visit may load, bytes compressed with gzip: script and styles of the shell and of a page. */
const firstLoadBytesMax = 120_000;

const pageNames = readdirSync(join(root, 'apps', 'explorer', 'src', 'pages'), { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name);

describe('the first visit', () => {
  it.each(pageNames)('of %s loads no more than people on a phone wait for', (page) => {
    const files = firstLoad(page).flatMap(({ file, styles }) => [file, ...styles]);
    const sizes = ['index.html', ...new Set(files)].map(
      (file) => gzipSync(readFileSync(join(dist, 'site', file)), { level: 9 }).length,
    );
    expect(sizes.length).toBeGreaterThan(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(firstLoadBytesMax);
  });

  it.each(pageNames)('of %s brings neither charts nor a wallet along', (page) => {
    const modules = firstLoad(page).flatMap((chunk) => chunk.modules);
    expect(modules.filter((module) => /^(?:lightweight-charts|uplot)\//.test(module))).toEqual([]);
    // Errors of the SDK are a class of it; everything else of viem comes with the wallet.
    const viem = modules.filter((module) => module.startsWith('viem/'));
    expect(viem.filter((module) => !/^viem\/_esm\/errors\/(?:base|version)\.js$/.test(module))).toEqual([]);
  });
});

describe('the files of the site', () => {
  const files = readdirSync(join(dist, 'site'), { recursive: true, withFileTypes: true })
    .filter((item) => item.isFile())
    .map((item) => join(item.parentPath, item.name));
  const textOf = (ending: string): string =>
    files
      .filter((file) => file.endsWith(ending))
      .map((file) => readFileSync(file, 'utf8'))
      .join('\n');

  it('ask nobody else for anything: no font, no script, no picture', () => {
    expect(textOf('.css')).not.toMatch(/@import|url\(\s*['"]?(?:https?:|\/\/)/);
    expect(textOf('.html')).not.toMatch(/(?:src|href)="(?:https?:|\/\/)/);
  });

  it('need no inline code and no inline style', () => {
    const html = textOf('index.html');
    expect(html).toMatch(/content="default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
    expect(textOf('.js')).not.toMatch(/\beval\(|new Function\(/);
  });

  it('never make markup of text', () => {
    // Preact itself knows the property; nobody sets it.
    const own = chunks.flatMap(({ modules }) => modules).filter((module) => module.startsWith('apps/explorer/src/'));
    expect(own.length).toBeGreaterThan(20);
    const sources = own.map((module) => readFileSync(join(root, module), 'utf8')).join('\n');
    expect(sources).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write/i);
  });
});
