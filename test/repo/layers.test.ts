import { builtinModules } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { layers } from './layers.ts';
import { importsOf, readText, shippedSources, workspaces } from './repository.ts';

/** `file imports module` for each import that the predicate calls wrong. */
const wrongImports = (
  names: readonly string[],
  isWrong: (module: string, workspace: string, file: string) => boolean,
): string[] =>
  workspaces
    .filter(({ name }) => names.includes(name))
    .flatMap((workspace) =>
      shippedSources(workspace).flatMap((file) =>
        importsOf(readText(file))
          .filter((module) => isWrong(module, workspace.name, file))
          .map((module) => `${file} imports ${module}`),
      ),
    );

const all = workspaces.map(({ name }) => name);
const pure = all.filter((name) => layers[name]?.pure);

describe('layers', () => {
  it('every workspace has a row, and every row a workspace', () => {
    expect(Object.keys(layers).toSorted()).toEqual(all.toSorted());
  });

  it('rows name only rows above them, so there is no cycle', () => {
    const order = Object.keys(layers);
    for (const [index, name] of order.entries()) {
      const above = order.slice(0, index);
      const { imports, testing = [] } = layers[name]!;
      expect([name, [...imports, ...testing].filter((other) => !above.includes(other))]).toEqual([name, []]);
    }
  });

  it('imports follow the rows', () => {
    const isWrong = (module: string, workspace: string, file: string): boolean => {
      const { imports, testing = [] } = layers[workspace]!;
      const allowed = file.includes('/src/testing/') ? [...imports, ...testing] : imports;
      return module.startsWith('@prime/') && !allowed.includes(module.split('/')[1]!);
    };
    expect(wrongImports(all, isWrong)).toEqual([]);
  });

  it('pure packages import nothing of Node', () => {
    const isNode = (module: string): boolean => module.startsWith('node:') || builtinModules.includes(module);
    expect(pure.length).toBeGreaterThan(5);
    expect(wrongImports(pure, isNode)).toEqual([]);
  });

  it('pure packages are compiled without the types of Node', () => {
    const extended = workspaces
      .filter(({ name }) => pure.includes(name))
      .map(({ folder }) => [folder, (JSON.parse(readText(`${folder}/tsconfig.json`)) as { extends: string }).extends]);
    expect(extended).toEqual(extended.map(([folder]) => [folder, '../../tsconfig.pure.json']));
  });

  it('nobody reaches past what another workspace exports', () => {
    const isWrong = (module: string): boolean => {
      if (/\.\.\/(?:packages|apps)\//.test(module)) return true;
      const [scope, name, ...path] = module.split('/');
      if (scope !== '@prime') return false;
      const exported = workspaces.find((workspace) => workspace.name === name)?.manifest.exports ?? {};
      return !Object.hasOwn(exported, ['.', ...path].join('/'));
    };
    expect(wrongImports(all, isWrong)).toEqual([]);
  });
});
