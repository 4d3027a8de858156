import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeHeader } from '@prime/codec';
import { hexToBytes } from '@prime/primitives';
import { type AnotherBuild, anotherBuild, createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../e2e/nodes.ts';

/**
 * An upgrade as operators are told to do it: the program of one validator after the other is exchanged while the others go on, and the version changes when all have
 * the new one. Blocks come only where the test makes some, so that the version's first block comes when it is meant to.
 */

const activation = 40;
const all = [0, 1, 2, 3];
const account = '0x00000000000000000000000000000000000000b8';
let testnet: Testnet;
let oldBuild: AnotherBuild | null = null;
let deposited = 0;

const { call, heightOf } = nodesOf(() => testnet);
interface Commit {
  readonly header: string;
  readonly block_hash: string;
  readonly signatures: readonly { readonly validator: string }[];
}
const commitAt = (node: number, height: number): Promise<Commit> =>
  call(node, 'prime_getCommit', [`0x${height.toString(16)}`]);
const versionAt = async (node: number, height: number): Promise<number> =>
  decodeHeader(hexToBytes((await commitAt(node, height)).header)).version;

/** An acknowledged write, and with it at least one block. */
async function deposit(node: number): Promise<void> {
  deposited += 1;
  const answer = await call(node, 'primeorders_depositCollateral', [account, '0x1']);
  expect(answer).toMatchObject({ collateral: `0x${deposited.toString(16)}` });
}
async function level(): Promise<number> {
  const head = Math.max(...(await Promise.all(all.map(heightOf))));
  for (const node of all) await until(`node ${node} reaches ${head}`, async () => (await heightOf(node)) >= head);
  return head;
}

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    idlePace: 'still',
    genesis: (genesis) => {
      genesis['upgrades'] = [{ version: 2, height: activation }];
    },
  });
  oldBuild = await anotherBuild([
    { path: 'packages/codec/dist/genesis/protocolRules.js', from: /^.*\{ version: 2, .*\n/m, to: '' },
  ]);
  for (const node of all) testnet.install(node, oldBuild.cli);
  await testnet.startAll();
});
afterAll(async () => {
  await testnet.destroy();
  await oldBuild?.destroy();
});

describe('programs exchanged one by one', () => {
  it('the others go on without the one, and need it as soon as it is back with the new program', async () => {
    await deposit(0);
    for (const node of all) {
      expect(await testnet.kill(node, 'SIGTERM')).toBe(0);
      testnet.install(node, null);
      // All three that are left are needed for it: the last one that was exchanged as well.
      await deposit((node + 1) % 4);
      await testnet.start(node);
      await level();
      await deposit(node);
    }
    expect(await level()).toBeLessThan(activation);
  });

  it('the version changes at its block, nobody ends, and nothing is lost on the way', async () => {
    while ((await heightOf(0)) < activation + 2) await deposit(deposited % 4);
    const head = await level();
    expect(all.map((node) => testnet.running(node))).toEqual([true, true, true, true]);
    for (const node of all) {
      expect([await versionAt(node, activation - 1), await versionAt(node, activation)]).toEqual([1, 2]);
      expect((await commitAt(node, head)).block_hash).toBe((await commitAt(0, head)).block_hash);
      expect(await call(node, 'primeorders_getAccount', [account])).toMatchObject({
        collateral: `0x${deposited.toString(16)}`,
      });
    }
  });
});
