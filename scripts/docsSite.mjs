/**
 * Makes the site of the documents:
 *
 *   npm run docs:site [-- --out FOLDER] [--base /path/]
 *
 * FOLDER is .prime/docs/site; what it held is replaced. `--base` is the path under which it is served, `/` unless told. Any server of files serves it.
 * VitePress is a project of its own in scripts/vitepress, which is installed when it is missing. Links that lead nowhere fail the build.
 * Exit code 3: it is not installed and the package registry is out of reach.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ensureInstalled, isUnreachable } from './lib/install.mjs';
import { run } from './lib/run.mjs';
import { readRepository } from './lib/site/repository.mjs';
import { makeSite } from './lib/site/site.mjs';

const scripts = dirname(fileURLToPath(import.meta.url));
const root = join(scripts, '..');
const vitepress = join(scripts, 'vitepress');
const unreachableExit = 3;

async function main() {
  const { values } = parseArgs({ options: { out: { type: 'string' }, base: { type: 'string', default: '/' } } });
  const out = resolve(values.out ?? join(root, '.prime', 'docs', 'site'));
  await ensureInstalled(vitepress, 'VitePress');
  stage(join(vitepress, '.prime', 'pages'));
  const program = join(vitepress, 'node_modules', 'vitepress', 'bin', 'vitepress.js');
  try {
    await run(process.execPath, [program, 'build', vitepress, '--outDir', out, '--base', values.base], {
      cwd: vitepress,
    });
  } finally {
    // It stays when a build fails.
    rmSync(join(vitepress, '.vitepress', '.temp'), { recursive: true, force: true });
  }
  process.stdout.write(`${join(out, 'index.html')}\n`);
}

/** Writes pages, files and navigation to where scripts/vitepress/.vitepress/config.mjs looks for them. */
function stage(folder) {
  const { pages, assets, navigation } = makeSite(readRepository(root));
  rmSync(folder, { recursive: true, force: true });
  const place = (path) => {
    const target = join(folder, path);
    mkdirSync(dirname(target), { recursive: true });
    return target;
  };
  for (const { path, text } of pages) writeFileSync(place(path), text);
  for (const path of assets) cpSync(join(root, path), place(join('public', path)));
  writeFileSync(place('navigation.json'), JSON.stringify(navigation));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`prime: ${error.message}\n`);
  process.exitCode = isUnreachable(error) ? unreachableExit : 1;
}
