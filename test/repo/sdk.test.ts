import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { refusalKinds } from '@prime/sdk';
import { readText, root } from './repository.ts';

describe('the SDK', () => {
  it('its types of methods are what the definitions of rpc say', () => {
    const script = 'packages/sdk/scripts/generateMethods.mjs';
    const { status, stdout, stderr } = spawnSync(process.execPath, [script, '--check'], {
      cwd: root,
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    // A generator that finds nothing would be content with everything.
    expect(Number(/^(\d+) methods/.exec(stdout)?.[1])).toBeGreaterThan(100);
  });

  it('has an error class for every kind of refusal of the order book and of the staking state, and no other', () => {
    const kindsOf = (path: string): string[] =>
      [...readText(path).matchAll(/^ {2}(?:CLOB|STAKING)_[A-Z_]+: '([a-z_]+)',$/gm)].map(([, kind]) => kind!);
    const kinds = [...kindsOf('packages/clob/src/errors.ts'), ...kindsOf('packages/consensus/src/staking/errors.ts')];
    expect(kinds.length).toBeGreaterThan(55);
    expect([...refusalKinds].toSorted()).toEqual([...new Set(kinds)].toSorted());
  });

  it('its README’s first order has twenty lines', () => {
    const [, example] = /## First order\n[^]*?```ts\n([^]*?)```/.exec(readText('packages/sdk/README.md'))!;
    expect(example!.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });
});
