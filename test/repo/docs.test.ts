import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { filesBelow, readText, root } from './repository.ts';

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
