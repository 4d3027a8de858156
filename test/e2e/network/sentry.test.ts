import { createHash, X509Certificate } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { nodesOf } from '../nodes.ts';

/** A validator that only its two sentries know the place of. */

const hidden = 0;
const others = [1, 2, 3];
const sentries = [4, 5];
const account = '0x00000000000000000000000000000000000000c9';
let testnet: Testnet;
let hiddenAddress: string;

const { call, heightOf } = nodesOf(() => testnet);
const portOf = (node: number, offset: number): number => Number(new URL(testnet.url(node)).port) + offset;
const p2pPort = (node: number): number => portOf(node, 1);
const admin = async (node: number, path: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${portOf(node, 2)}${path}`)).text();

/** How a node is listed: validators by their owner, followers by their key. */
async function listing(node: number): Promise<string> {
  const folder = join(testnet.home(node), 'keys');
  const isSentry = sentries.includes(node);
  const keystore = isSentry ? join(folder, 'signer.json') : testnet.ownerKey(node);
  const address = `0x${(JSON.parse(await readFile(keystore, 'utf8')) as { readonly address: string }).address}`;
  const name = (await readdir(folder)).find((entry) => entry.startsWith('tls.') && /cert|crt/.test(entry))!;
  const { publicKey } = new X509Certificate(await readFile(join(folder, name)));
  const spki = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
  const rows = [`address = "${address}"`, 'host = "127.0.0.1"', `port = ${p2pPort(node)}`, `spki = "0x${spki}"`];
  return ['[[p2p.peers]]', ...rows].join('\n');
}

const addressIn = (table: string): string => /address = "(0x[0-9a-fA-F]{40})"/.exec(table)![1]!;

/** Replaces the peers of a node, and sets one more key. */
async function connect(node: number, peers: readonly string[], key?: string, value?: readonly string[]): Promise<void> {
  const path = join(testnet.home(node), 'config.toml');
  let text = await readFile(path, 'utf8');
  text = text.replaceAll(/\n\[\[p2p\.peers\]\]\n(?:\w+ = .*\n)+/g, '\n');
  if (key !== undefined) text = text.replace(new RegExp(`^# ${key} = .*$`, 'm'), `${key} = ${JSON.stringify(value)}`);
  await writeFile(path, text.replace('\n[admin]', `\n${peers.join('\n\n')}\n\n[admin]`));
}

beforeAll(async () => {
  testnet = await createTestnet({ validators: 4, followers: 2 });
  const tables = await Promise.all([hidden, ...others, ...sentries].map(listing));
  const guards = sentries.map((node) => tables[node]!);
  hiddenAddress = addressIn(tables[hidden]!);
  await connect(hidden, guards, 'sentries', guards.map(addressIn));
  for (const node of others)
    await connect(node, [...others.filter((other) => other !== node).map((other) => tables[other]!), ...guards]);
  for (const node of sentries)
    await connect(
      node,
      [hidden, ...others].map((other) => tables[other]!),
      'private_peers',
      [hiddenAddress],
    );
  await testnet.startAll();
});
afterAll(() => testnet.destroy());

const proposes = (from: number): Promise<unknown> =>
  until('the hidden validator proposes and signs', async () => {
    const head = await heightOf(1);
    const blocks = await Promise.all(
      Array.from({ length: Math.max(0, head - from) }, (_, index) =>
        call<{ miner: string }>(1, 'eth_getBlockByNumber', [`0x${(from + 1 + index).toString(16)}`, false]),
      ),
    );
    return blocks.some(({ miner }) => miner.toLowerCase() === hiddenAddress.toLowerCase());
  });

/** Everything that nodes but the sentries keep on their disks or tell of themselves. */
async function everythingKnown(): Promise<string> {
  const texts: string[] = [];
  for (const node of others) {
    const files = await readdir(testnet.home(node), { recursive: true, withFileTypes: true });
    // Files of the databases come and go.
    for (const file of files.filter((entry) => entry.isFile()))
      texts.push(await readFile(join(file.parentPath, file.name), 'latin1').catch(() => ''));
    texts.push(testnet.tail(node));
  }
  for (const node of [...others, ...sentries]) {
    texts.push(await admin(node, '/status'), await admin(node, '/consensus'), await admin(node, '/metrics'));
    for (const method of ['prime_validators', 'prime_registeredValidators', 'net_peerCount', 'prime_network'])
      texts.push(JSON.stringify(await call(node, method)));
  }
  return texts.join('\n');
}

interface Peer {
  readonly address: string;
  readonly role: string;
}
const peersOf = async (node: number): Promise<readonly Peer[]> =>
  (JSON.parse(await admin(node, '/consensus')) as { readonly peers: readonly Peer[] }).peers;

describe('a validator behind two sentries', () => {
  it('takes its turns, serves its clients, and is ready', async () => {
    await proposes(await heightOf(1));
    expect(await call(hidden, 'primeorders_depositCollateral', [account, '0x5'])).toMatchObject({ collateral: '0x5' });
    expect(await call(2, 'primeorders_depositCollateral', [account, '0x7'])).toMatchObject({ collateral: '0xc' });
    for (const node of [hidden, 1])
      await until(`node ${node} is ready`, async () => (await admin(node, '/ready')).includes('true'));
  });

  it('has its sentries as peers and nobody else, and nobody else learns where it is', async () => {
    expect((await peersOf(hidden)).map(({ role }) => role)).toEqual(['full', 'full']);
    for (const node of others)
      await until(`node ${node} has the others as peers`, async () => {
        const roles = (await peersOf(node)).map(({ role }) => role).toSorted();
        return roles.join() === 'full,full,validator,validator';
      });
    const known = await everythingKnown();
    const placeOf = (node: number): RegExp =>
      new RegExp(`(?:127\\.0\\.0\\.1:|port"?\\s*[=:]\\s*"?)${p2pPort(node)}\\b`);
    expect(known).toMatch(placeOf(1));
    expect(known).not.toMatch(placeOf(hidden));
  });

  it('stands among the validators of prime_network like one that is only heard of, on every node', async () => {
    interface Known {
      readonly validators: readonly { address: string; present: boolean; head: string | null }[];
      readonly others: readonly object[];
    }
    const standing = async (node: number, address: string) =>
      (await call<Known>(node, 'prime_network')).validators.find((validator) => validator.address === address)!;
    const shown = addressIn(await listing(1)).toLowerCase();
    for (const node of [hidden, ...others, ...sentries]) {
      await until(
        `node ${node} has heard of it`,
        async () => (await standing(node, hiddenAddress.toLowerCase())).present,
      );
      expect((await standing(node, hiddenAddress.toLowerCase())).head).toBeNull();
      // A validator behind sentries tells no more of itself than of the others.
      if (node === hidden) expect((await standing(node, shown)).head).toBeNull();
      else
        await until(
          `node ${node} knows where another one stands`,
          async () => (await standing(node, shown)).head !== null,
        );
    }
    expect((await call<Known>(hidden, 'prime_network')).others).toEqual([]);
  });

  it('one sentry dies: it goes on over the other', async () => {
    await testnet.kill(sentries[0]!, 'SIGKILL');
    await proposes(await heightOf(1));
    expect(await call(hidden, 'primeorders_depositCollateral', [account, '0x1'])).toMatchObject({ collateral: '0xd' });
  });

  it('with a validator down its vote decides: blocks need it, and come', async () => {
    await testnet.kill(3, 'SIGKILL');
    const head = await heightOf(1);
    await until('blocks go on', async () => (await heightOf(1)) > head + 4);
    const { signatures } = await call<{ signatures: { validator: string }[] }>(1, 'prime_getCommit', ['latest']);
    expect(signatures.map(({ validator }) => validator.toLowerCase())).toContain(hiddenAddress.toLowerCase());
  });
});
