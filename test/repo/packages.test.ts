import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, pathExists, readManifest, readText, workspaces } from './repository.ts';

const manifests = [
  'package.json',
  'test/package.json',
  'test/clients/package.json',
  'test/ccxt/package.json',
  'test/kubernetes/package.json',
  ...workspaces.map(({ folder }) => `${folder}/package.json`),
];

/** What holds no part of a package: helpers of its tests, and what a script writes. */
const unnamedFolders: ReadonlySet<string> = new Set(['testing', 'generated']);

/** Folders right below the sources of a package. */
const sourceFolders = (folder: string): string[] => [
  ...new Set(
    filesBelow(`${folder}/src`)
      .map((path) => path.slice(`${folder}/src/`.length).split('/'))
      .flatMap(([first, ...below]) => (below.length > 0 && !unnamedFolders.has(first!) ? [first!] : [])),
  ),
];

describe('workspaces', () => {
  it('each has a README', () => {
    const without = workspaces.filter(
      ({ folder }) => !pathExists(`${folder}/README.md`) || !readText(`${folder}/README.md`).startsWith('# '),
    );
    expect(without.map(({ folder }) => folder)).toEqual([]);
  });

  it('each package’s README begins with its name, has an example, and names the folders of its sources', () => {
    const lacking = workspaces
      .filter(({ folder }) => folder.startsWith('packages/'))
      .flatMap(({ name, folder }) => {
        const readme = readText(`${folder}/README.md`);
        const wanted = [`^# @prime/${name}\n`, '\n```', ...sourceFolders(folder).map((part) => `\\b${part}\\b`)];
        return wanted.filter((part) => !new RegExp(part).test(readme)).map((part) => `${folder}: ${part}`);
      });
    expect(lacking).toEqual([]);
  });

  it('each is named after its folder, licensed, and names what others may import', () => {
    for (const { name, manifest } of workspaces) {
      expect(manifest.name).toBe(`@prime/${name}`);
      expect([name, manifest.license]).toEqual([name, 'Apache-2.0']);
      expect([name, typeof manifest.exports]).toEqual([name, 'object']);
      // An export of a source file would let another package skip the build and its types.
      expect([name, JSON.stringify(manifest.exports).includes('/src/')]).toEqual([name, false]);
    }
  });

  it('versions are pinned, and one dependency has one version everywhere', () => {
    const seen = new Map<string, string>();
    for (const path of manifests) {
      const { dependencies, devDependencies, optionalDependencies } = readManifest(path);
      for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
        expect([path, name, version]).toEqual([
          path,
          name,
          expect.stringMatching(/^(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?$/),
        ]);
        expect([path, name, version]).toEqual([path, name, seen.get(name) ?? version]);
        seen.set(name, version);
      }
    }
  });

  it('the compiler is told of exactly the workspaces that are declared as dependencies', () => {
    const projects = [
      ...workspaces.flatMap(({ folder }) => [`${folder}/tsconfig.json`, `${folder}/tsconfig.test.json`]),
      'test/tsconfig.json',
    ];
    for (const project of projects) {
      const folder = posix.dirname(project);
      const { dependencies, devDependencies } = readManifest(`${folder}/package.json`);
      const declared = Object.keys(
        project.endsWith('/tsconfig.json') && folder !== 'test'
          ? { ...dependencies }
          : { ...dependencies, ...devDependencies },
      );
      const wanted = declared.filter((name) => name.startsWith('@prime/')).map((name) => name.slice('@prime/'.length));
      const { references = [] } = JSON.parse(readText(project)) as {
        references?: readonly { readonly path: string }[];
      };
      const told = references.map(({ path }) => posix.join(folder, path)).filter((path) => path !== folder);
      expect([project, told.map((path) => posix.basename(path)).toSorted()]).toEqual([project, wanted.toSorted()]);
    }
  });

  it('every third-party dependency has its line in the ADR', () => {
    const table = readText('docs/adr/0004-dependencies.md');
    const names = manifests
      .map(readManifest)
      .flatMap(({ dependencies, devDependencies, optionalDependencies }) =>
        Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies }),
      )
      .filter((name) => !name.startsWith('@prime/'));
    const missing = [...new Set(names)].filter((name) => !table.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});

describe('build output', () => {
  it('every built test has its source: a renamed test must not go on running', () => {
    const folders = [
      ...workspaces.map(({ folder }) => ({ built: `${folder}/dist`, source: `${folder}/src` })),
      { built: 'test/dist', source: 'test' },
    ];
    const orphans = folders.flatMap(({ built, source }) =>
      filesBelow(built, new Set(['node_modules']))
        .filter((path) => path.endsWith('.test.js'))
        .filter((path) => !pathExists(path.replace(built, source).replace(/\.js$/, '.ts'))),
    );
    // `npm run clean` removes them.
    expect(orphans).toEqual([]);
  });

  it('the bundle, where one was made, has every thread of a node and every group of commands', () => {
    const bundle = 'apps/cli/dist/bundle';
    const threads = filesBelow('apps/node/src').filter(
      (path) => path.endsWith('.worker.ts') && !path.includes('/testing/'),
    );
    expect(threads.length).toBeGreaterThan(5);
    const loading = ['program', 'commandGroups'].map((name) => readText(`apps/cli/src/${name}.ts`)).join('');
    const commands = [...loading.matchAll(/import\('\.\/commands\/(?:\w+\/)?(\w+)\.ts'\)/g)].map(([, path]) => path!);
    expect(commands.length).toBeGreaterThan(10);
    expect(commands).toContain('every');
    const missing = threads
      .map((path) => path.replace('apps/node/src', bundle).replace(/\.ts$/, '.js'))
      .concat([...commands, 'stateSync', 'program', 'workerFile', 'prime'].map((path) => `${bundle}/${path}.js`))
      .filter((path) => !pathExists(path));
    expect(pathExists(bundle) ? missing : []).toEqual([]);
    // Who needs all commands loads chunks that they share, and none of the builds of one.
    const every = pathExists(bundle) ? readText(`${bundle}/every.js`) : '';
    expect(commands.filter((name) => every.includes(`./${name}.js`))).toEqual([]);
  });

  it('every test is built', () => {
    const sources = [...workspaces.flatMap(({ folder }) => filesBelow(`${folder}/src`)), ...filesBelow('test')].filter(
      (path) => path.endsWith('.test.ts'),
    );
    const unbuilt = sources.filter((path) => {
      const built = path.startsWith('test/') ? path.replace('test/', 'test/dist/') : path.replace('/src/', '/dist/');
      return !pathExists(built.replace(/\.ts$/, '.js'));
    });
    expect(unbuilt).toEqual([]);
  });
});
