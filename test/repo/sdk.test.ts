import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { orderRefusals, stakingRefusals } from '@prime/codec';
import { primeActions, primeCallActions, primeWalletActions, refusalKinds } from '@prime/sdk';
import { admissionCodes, explainedRefusals } from '@prime/sdk/explain';
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
    const kinds = [...Object.values(orderRefusals), ...Object.values(stakingRefusals)];
    expect([...refusalKinds].toSorted()).toEqual([...new Set(kinds)].toSorted());
    expect([...explainedRefusals].toSorted()).toEqual([...new Set(kinds)].toSorted());
  });

  it('has a meaning for every code with which a node refuses before a block, and for no other', () => {
    const codesIn = (path: string): string[] =>
      [...readText(path).matchAll(/code: '((?:MEMPOOL|ENGINE)_[A-Z_]+)'/g)].map(([, code]) => code!);
    const codes = [
      ...codesIn('packages/mempool/src/errors.ts'),
      // What of the engine answers to whoever sends something.
      ...['intake', 'authority', 'forwarding', 'verifyQueue'].flatMap((name) =>
        codesIn(`packages/engine/src/submission/${name}.ts`),
      ),
    ];
    expect(codes.length).toBeGreaterThan(25);
    expect([...admissionCodes].toSorted()).toEqual([...new Set(codes)].toSorted());
  });

  it('has a test of the types of every action', () => {
    const client = {} as never;
    const actions = Object.keys({
      ...primeCallActions()(client),
      ...primeActions()(client),
      ...primeWalletActions()(client),
    });
    expect(actions.length).toBeGreaterThan(55);
    const tested = readText('packages/sdk/src/types.test.ts');
    expect(actions.filter((name) => !new RegExp(`\\b${name}\\b`).test(tested))).toEqual([]);
  });

  it('its README’s first order has twenty lines', () => {
    const [, example] = /## First order\n[^]*?```ts\n([^]*?)```/.exec(readText('packages/sdk/README.md'))!;
    expect(example!.trimEnd().split('\n').length).toBeLessThanOrEqual(20);
  });
});
