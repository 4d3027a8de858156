/** The reference of the SDK, made as `npm run docs:sdk` makes it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { readText, root } from '../repo/repository.ts';
import { filesIn } from '../packages/files.ts';
import { execute } from '../packages/packed.ts';

const out = await mkdtemp(join(tmpdir(), 'prime-reference-'));
afterAll(() => rm(out, { recursive: true, force: true }));

/** False where TypeDoc is not installed and the registry is out of reach. */
async function isMade(): Promise<boolean> {
  try {
    await execute(process.execPath, [join(root, 'scripts', 'docsSdk.mjs'), '--out', out]);
    return true;
  } catch (error) {
    if ((error as { readonly code: number }).code === 3) return false;
    throw error;
  }
}

((await isMade()) ? describe : describe.skip)('the reference of the SDK', () => {
  it.each([
    ['index', 'packages/sdk/etc/sdk.api.md'],
    ['light', 'packages/sdk/etc/sdk.light.api.md'],
  ])('%s has a page for each function, class and interface of its API report', async (entry, report) => {
    const pages = (await filesIn(out)).map((path) => basename(path, '.html'));
    const named = [
      ...readText(report).matchAll(/^export (?:declare )?(?:abstract )?(?:function|class|interface) (\w+)/gm),
    ].map(([, name]) => name!);
    expect(named.length).toBeGreaterThan(5);
    expect([...new Set(named)].filter((name) => !pages.some((page) => page === `${entry}.${name}`))).toEqual([]);
  });
});
