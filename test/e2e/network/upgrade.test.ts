import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeHeader } from '@prime/codec';
import { toHex as hex } from '@prime/load/rpc';
import { hexToBytes } from '@prime/primitives';
import { type AnotherBuild, anotherBuild, createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/**
 * A network that moves to another protocol version, of nodes of two builds: the one that is tested, and one whose table of versions ends before the new one. A
 * third kind is the tested build that was told to behave like the old one, as for a rehearsal.
 */

const activation = 25;
const upgradeExit = 76;
/** These do not know the new version at first: half of the power. */
const [ofOldBuild, rehearsing] = [2, 3];
const old = [ofOldBuild, rehearsing];
const [fromGenesis, fromSnapshot] = [4, 5];
const account = '0x00000000000000000000000000000000000000b7';
let testnet: Testnet;
let oldBuild: AnotherBuild | null = null;
let deposited: unknown;

const { call, heightOf } = nodesOf(() => testnet);
const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index);
interface Commit {
  readonly header: string;
  readonly block_hash: string;
  readonly signatures: readonly { readonly validator: string }[];
}
const commitAt = (node: number, height: number): Promise<Commit> => call(node, 'prime_getCommit', [hex(height)]);
const signersAt = async (node: number, height: number): Promise<string[]> =>
  (await commitAt(node, height)).signatures.map(({ validator }) => validator);
const versionAt = async (node: number, height: number): Promise<number> =>
  decodeHeader(hexToBytes((await commitAt(node, height)).header)).version;
const reaches = (node: number, height: number): Promise<unknown> =>
  until(`node ${node} reaches block ${height}`, async () => (await heightOf(node)) >= height);
const isGone = (node: number): Promise<unknown> =>
  until(`node ${node} ends`, () => Promise.resolve(!testnet.running(node)));

/** What a node's admin endpoint says of consensus. */
async function consensusOf(node: number): Promise<{ readonly self: string }> {
  const port = Number(new URL(testnet.url(node)).port) + 2;
  return (await (await fetch(`http://127.0.0.1:${port}/consensus`)).json()) as { self: string };
}

/** The program as it was before version 2. */
const withoutVersion2 = {
  path: 'packages/codec/dist/genesis/protocolRules.js',
  from: /^.*\{ version: 2, .*\n/m,
  to: '',
} as const;

/** A node can be told to know less than it does, and not more. */
async function rehearse(node: number, versionMax: number | null): Promise<void> {
  const path = join(testnet.home(node), 'config.toml');
  const text = await readFile(path, 'utf8');
  const line = versionMax === null ? '# version_max = 0' : `version_max = ${versionMax}`;
  await writeFile(path, text.replace(/^(# )?version_max = \d+$/m, line));
}

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 4,
    followers: 2,
    environment: { PRIME_SNAPSHOTS_INTERVAL_BLOCKS: '10', PRIME_SNAPSHOTS_KEEP: '100' },
    genesis: (genesis) => {
      genesis['upgrades'] = [{ version: 2, height: activation }];
    },
  });
  oldBuild = await anotherBuild([withoutVersion2]);
  testnet.install(ofOldBuild, oldBuild.cli);
  await rehearse(rehearsing, 1);
  // They end soon after there are three: by then they have to serve, and to have what one of them is asked for.
  await Promise.all(old.map((node) => testnet.start(node)));
  const asked = call(ofOldBuild, 'primeorders_depositCollateral', [account, '0x5']);
  await Promise.all([0, 1].map((node) => testnet.start(node)));
  deposited = await asked;
});
afterAll(async () => {
  await testnet.destroy();
  await oldBuild?.destroy();
});

describe('an upgrade of a network', () => {
  it('half of it has an old program: that half ends before the first new block, the other keeps serving', async () => {
    expect(deposited).toMatchObject({ collateral: '0x5' });
    for (const node of old) {
      await isGone(node);
      expect(await testnet.kill(node, 'SIGTERM')).toBe(upgradeExit);
      expect(testnet.tail(node)).toContain(`block ${activation} begins protocol version 2`);
    }
    for (const node of [0, 1]) {
      await reaches(node, activation - 1);
      expect(await call(node, 'primeorders_getAccount', [account])).toMatchObject({ collateral: '0x5' });
    }
    expect(await versionAt(0, activation - 1)).toBe(1);
    // Until then it was one chain of both builds, whose blocks the old one signed with the others.
    const signers = await Promise.all(range(2, activation - 1).map((height) => signersAt(0, height)));
    const validators = await call<readonly { address: string; moniker: string }[]>(0, 'prime_validators');
    const ofTheOld = validators.find(({ moniker }) => moniker === `validator${ofOldBuild}`)!;
    expect(signers.flat()).toContain(ofTheOld.address);
  });

  it('without the new program a node ends again before it serves', async () => {
    for (const node of old) await expect(testnet.start(node)).rejects.toThrow(`exited with ${upgradeExit}`);
    expect(await heightOf(0)).toBe(activation - 1);
  });

  it('with it on one more node the chain goes on under the new version', async () => {
    testnet.install(ofOldBuild, null);
    await testnet.start(ofOldBuild);
    for (const node of [0, 1, 2]) await reaches(node, activation + 2);
    for (const node of [0, 1, 2])
      expect([await versionAt(node, activation - 1), await versionAt(node, activation)]).toEqual([1, 2]);
    expect(await call(2, 'primeorders_depositCollateral', [account, '0x7'])).toMatchObject({ collateral: '0xc' });
  });

  it('the last one, upgraded late, fetches what it missed and decides with the others', async () => {
    await rehearse(rehearsing, null);
    await testnet.start(rehearsing);
    const head = await heightOf(0);
    await reaches(3, head + 2);
    expect((await commitAt(3, activation)).block_hash).toBe((await commitAt(0, activation)).block_hash);
    const { self } = await consensusOf(3);
    const signs = async (): Promise<boolean> => {
      const { signatures } = await call<{ signatures: readonly { validator: string }[] }>(0, 'prime_getCommit', [
        'latest',
      ]);
      return signatures.some(({ validator }) => validator === self);
    };
    await until('the last one signs', signs);
  });

  it('a node that executes everything again, one that joins from genesis and one from a snapshot get over it', async () => {
    await testnet.kill(1, 'SIGTERM');
    await rm(join(testnet.home(1), 'state'), { recursive: true });
    await testnet.start(1);
    await testnet.start(fromGenesis);
    const path = join(testnet.home(fromSnapshot), 'config.toml');
    const { block_hash: hash } = await commitAt(0, 3);
    const config = (await readFile(path, 'utf8'))
      .replace('# trusted_height = 0', 'trusted_height = 3')
      .replace('# trusted_hash = ""', `trusted_hash = "${hash}"`);
    await writeFile(path, config);
    await testnet.start(fromSnapshot);
    const head = await heightOf(0);
    for (const node of [1, fromGenesis, fromSnapshot]) {
      await reaches(node, head);
      expect((await commitAt(node, head)).block_hash).toBe((await commitAt(0, head)).block_hash);
      expect(await call(node, 'primeorders_getAccount', [account])).toMatchObject({ collateral: '0xc' });
    }
  });

  it('a schedule that forgets the upgrade is refused at the start', async () => {
    await testnet.kill(1, 'SIGTERM');
    const path = join(testnet.home(1), 'config.toml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(/^# schedule = .*$/m, 'schedule = [{ version = 2, height = 30 }]'));
    const exit = await testnet.runToExit(testnet.home(1));
    expect([exit.code, exit.served]).toEqual([64, false]);
    expect(exit.output).toContain('upgrades.schedule.0');
  });
});
