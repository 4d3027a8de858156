/**
 * Puts `@prime/ccxt` and `@prime/sdk` into this project as npm would: one file each with the workspaces that it is made of, and with what
 * people install beside them left out. Exits with 1 where a bundle can not be made.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

for (const folder of ['sdk', 'ccxt']) {
  const source = new URL(`../../packages/${folder}/`, import.meta.url);
  const { name, version, type, peerDependencies } = JSON.parse(readFileSync(new URL('package.json', source), 'utf8'));
  const target = new URL(`node_modules/${name}/`, import.meta.url);
  mkdirSync(target, { recursive: true });
  await build({
    entryPoints: [fileURLToPath(new URL('dist/index.js', source))],
    outfile: fileURLToPath(new URL('index.js', target)),
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['ccxt', 'viem', 'isows', '@noble/*'],
    logLevel: 'error',
  });
  const manifest = { name, version, type, peerDependencies, exports: './index.js' };
  writeFileSync(new URL('package.json', target), `${JSON.stringify(manifest, null, 2)}\n`);
}
