// Makes dist/site, the files that any static server can serve, and dist/site.json, which says what is in them. Runs after tsc, which is what checks the types.
// EXPLORER_BASE names the path below which the site is served; it begins and ends with a slash.
import { rename, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));

/** What each file has of which package, so that tests can tell what a page loads. */
function contentsOf(output) {
  const chunks = output.filter(({ type }) => type === 'chunk');
  return chunks.map(({ fileName, isEntry, imports, dynamicImports, modules, viteMetadata }) => ({
    file: fileName,
    isEntry,
    imports,
    dynamicImports,
    styles: [...(viteMetadata?.importedCss ?? [])],
    modules: Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([id]) =>
        id
          .replaceAll('\\', '/')
          .replace(/^.*\/node_modules\//, '')
          .replace(/^.*\/(?=(?:apps|packages)\/)/, ''),
      )
      .toSorted(),
  }));
}

/** @returns null on a platform for which the bundler has no binary */
const vite = await import('vite').catch(() => null);
if (vite === null) process.stderr.write('prime: the explorer is not built: vite does not load on this platform\n');
else {
  for (const name of ['site.next', 'site.previous']) await rm(dist(name), { recursive: true, force: true });
  const { output } = await vite.build({
    root,
    base: process.env.EXPLORER_BASE ?? '/',
    configFile: fileURLToPath(new URL('../vite.config.mjs', import.meta.url)),
    logLevel: 'warn',
    build: { outDir: dist('site.next') },
  });
  await writeFile(dist('site.json'), `${JSON.stringify(contentsOf(output), null, 1)}\n`);
  // Who reads meanwhile finds the old files or the new ones.
  await rename(dist('site'), dist('site.previous')).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  await rename(dist('site.next'), dist('site'));
  await rm(dist('site.previous'), { recursive: true, force: true });
}
