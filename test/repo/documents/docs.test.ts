import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { actionTypeCode, typedDataTypeString } from '@prime/codec';
import { filesBelow, readText, root } from '../repository.ts';

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
    const tests = [...filesBelow('packages'), ...filesBelow('apps'), ...filesBelow('test')]
      .filter((path) => path.endsWith('.test.ts'))
      .map(readText)
      .join('\n');
    const codes = [...readText('docs/reference/errors.md').matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(
      (match) => match[1]!,
    );
    expect(codes.filter((code) => !tests.includes(code))).toEqual([]);
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
