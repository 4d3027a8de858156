import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { actionTypeCode, typedDataTypeString } from '@prime/codec';
import { filesBelow, pathExists, readText, root } from '../repository.ts';

const withoutComments = (source: string): string =>
  source.replace(/^\s*\/\*[\s\S]*?\*\//gm, '').replace(/^\s*\/\/.*$/gm, '');

describe('reference pages', () => {
  it('every error code is documented and unique, and the pages are what the code says', () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/docs.mjs', '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // A collector that finds nothing would be content with everything.
    expect(Number(/^(\d+) error codes/.exec(stdout)?.[1])).toBeGreaterThan(40);
  });

  it('every error code is named by a test', () => {
    // Whole words outside of comments: one code begins another, and to speak of one is no test.
    const named = new Set(
      ['packages', 'apps', 'test']
        .flatMap((folder) => filesBelow(folder))
        .filter((path) => path.endsWith('.test.ts'))
        .flatMap((path) => withoutComments(readText(path)).match(/\b[A-Z][A-Z0-9_]+\b/g) ?? []),
    );
    const codes = [...readText('docs/reference/errors.md').matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(
      (match) => match[1]!,
    );
    expect(codes.length).toBeGreaterThan(40);
    expect(codes.filter((code) => !named.has(code))).toEqual([]);
  });
});

describe('the page on native transactions', () => {
  it('has the EIP-712 type of every action, and no other', () => {
    const rows = [...readText('docs/protocol/native-transactions.md').matchAll(/^\| (\d+) \| `(.*)` \|$/gm)];
    const documented = rows.map(([, code, type]) => [Number(code), type]);
    const actual = Object.entries(actionTypeCode).map(([type, code]) => [
      code,
      typedDataTypeString(type as keyof typeof actionTypeCode),
    ]);
    expect(documented).toEqual(actual.sort(([a], [b]) => Number(a) - Number(b)));
  });
});

describe('sources that pages name', () => {
  it('exist', () => {
    // What was decided stays as it was written.
    const pages = [
      'ARCHITECTURE.md',
      'README.md',
      ...['docs', 'packages', 'apps'].flatMap((folder) => filesBelow(folder)),
    ]
      .filter((path) => path.endsWith('.md') && !path.startsWith('docs/adr/'))
      .map((path) => ({ path, text: readText(path) }));
    const named = pages.flatMap(({ path, text }) =>
      [...text.matchAll(/`(?:packages\/|apps\/)?([a-z]+\/src\/[\w./]+\.tsx?)`/g)].map(([, source]) => ({
        path,
        source,
      })),
    );
    expect(named.length).toBeGreaterThan(40);
    const isThere = (source: string): boolean => ['packages', 'apps'].some((group) => pathExists(`${group}/${source}`));
    expect(named.filter(({ source }) => !isThere(source!))).toEqual([]);
  });
});
