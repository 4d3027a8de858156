import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';

/** What a bundler makes of the package for browsers. */

const entry = fileURLToPath(new URL('./index.js', import.meta.url));
const lightEntry = fileURLToPath(new URL('./light/index.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'prime-sdk-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Metafile {
  readonly outputs: Readonly<
    Record<
      string,
      {
        readonly imports: readonly { readonly path: string }[];
        readonly inputs: Readonly<Record<string, { readonly bytesInOutput: number }>>;
      }
    >
  >;
}

/** @param names what an application imports @returns what is left to be imported, and the files whose code is in it */
function bundle(
  names: string,
  from: string = entry,
): { readonly imports: readonly string[]; readonly files: readonly string[] } {
  const [source, metafile] = [join(folder, 'application.js'), join(folder, 'meta.json')];
  writeFileSync(source, `export ${names} from ${JSON.stringify(from)};\n`);
  const options = [
    '--bundle',
    '--format=esm',
    '--platform=browser',
    '--target=es2022',
    '--external:viem',
    '--external:viem/*',
  ];
  const esbuild = createRequire(import.meta.url).resolve('esbuild/bin/esbuild');
  const args = [
    esbuild,
    source,
    ...options,
    `--outfile=${join(folder, 'bundle.js')}`,
    `--metafile=${metafile}`,
    '--log-level=error',
  ];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [output] = Object.values((JSON.parse(readFileSync(metafile, 'utf8')) as Metafile).outputs);
  const files = Object.entries(output!.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    imports: [...new Set(output!.imports.map(({ path }) => path))].toSorted(),
    files: files.map(([path]) => path),
  };
}

// An optional dependency: there are machines that it has no binary for.
const hasEsbuild = (() => {
  try {
    return createRequire(import.meta.url).resolve('esbuild/bin/esbuild') !== '';
  } catch {
    return false;
  }
})();

(hasEsbuild ? describe : describe.skip)('a bundle for browsers', () => {
  it('needs viem and nothing of Node', () => {
    const { imports, files } = bundle('*');
    expect(imports).toEqual(['viem', 'viem/accounts', 'viem/actions']);
    expect(files.filter((path) => /nativeProvider|node-gyp|secp256k1/.test(path))).toEqual([]);
    expect(files.some((path) => path.endsWith('codec/dist/actions/nativeTransaction.js'))).toBe(true);
  });

  it('of somebody who only reads and counts has no encoder and no WebAssembly', () => {
    for (const names of ['{ getMarkets, getOrderBook }', '{ createMarketUnits }']) {
      const { files } = bundle(names);
      expect(files.filter((path) => /codec|hash-wasm|signing/.test(path))).toEqual([]);
    }
  });

  it('of the light client verifies in JavaScript, and signs and trades nothing', () => {
    const { imports, files } = bundle('*', lightEntry);
    expect(imports).toEqual(['viem']);
    expect(files.some((path) => path.endsWith('crypto/dist/nobleVerify.js'))).toBe(true);
    expect(files.filter((path) => /nativeProvider|nobleProvider|wasmProvider|node-gyp/.test(path))).toEqual([]);
    expect(files.filter((path) => /actions\/wallet|nativeTransaction|typedData|staking\//.test(path))).toEqual([]);
  });
});

describe('the declarations', () => {
  /** Modules that the types of a file name, followed through the package. */
  function namedBy(path: string, seen: Map<string, readonly string[]> = new Map()): readonly string[] {
    if (!seen.has(path)) {
      const modules = [...readFileSync(path, 'utf8').matchAll(/(?:from |import\()'([^']+)'/g)].map(([, name]) => name!);
      seen.set(path, modules);
      for (const name of modules)
        if (name.startsWith('.')) namedBy(join(dirname(path), name.replace(/\.[jt]s$/, '.d.ts')), seen);
    }
    return [...new Set([...seen.values()].flat())].filter((name) => !name.startsWith('.'));
  }

  it('name viem and no other package: who installs the SDK has no workspace of this repository', () => {
    for (const path of [entry, lightEntry]) expect(namedBy(path.replace(/\.js$/, '.d.ts'))).toEqual(['viem']);
  });
});
