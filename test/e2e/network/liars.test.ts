import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { homePaths, type PeerConfig, parseGenesis } from '@prime/config';
import {
  decodeSnapshotManifest,
  encodeSnapshotManifest,
  genesisHash,
  headerHash,
  snapshotId,
  type StoredBlock,
} from '@prime/codec';
import { validatorsFromGenesis } from '@prime/consensus';
import { cryptoProvider, keccak256, publicKeyToAddress } from '@prime/crypto';
import type { PeerMessage } from '@prime/engine';
import { createNetwork, generateTlsIdentity, type Network, spkiOf } from '@prime/network';
import { type Address, type Height, parseAddress, type Round, type TimestampMs, utf8ToBytes } from '@prime/primitives';
import { createTestnet, type Testnet, until } from '@prime/testkit';
import { forgedSnapshot } from '../../sim/network/node/forgery.ts';
import { nodesOf } from '../nodes.ts';

/**
 * Real nodes that begin with peers who lie: about blocks, about the root of a snapshot, and about what is in it. They have nobody else to ask until the lie was told;
 * only then the others come.
 */

const [fromGenesis, fromSnapshot] = [2, 3];
const account = '0x00000000000000000000000000000000000000e9';
let deposits = 0;
let testnet: Testnet;
let chain: Chain;
const networks: Network[] = [];

/** What everybody can have of a chain. */
interface Chain {
  readonly head: number;
  readonly blocks: readonly StoredBlock[];
  readonly genesisSet: Extract<PeerMessage, { readonly kind: 'headers' }>['validators'];
  readonly manifest: Uint8Array;
  readonly chunks: readonly Uint8Array[];
}

const { call, heightOf } = nodesOf(() => testnet);
const hashAt = async (node: number, height: number): Promise<string> =>
  (await call<{ hash: string }>(node, 'eth_getBlockByNumber', [`0x${height.toString(16)}`, false])).hash;

type Answer = (message: PeerMessage) => PeerMessage | null;
const silence: Answer = () => null;

/** A follower in this process, which answers as it is told. */
async function follower(name: string, peers: readonly PeerConfig[], answer: Answer, greeting?: PeerMessage) {
  const provider = await cryptoProvider();
  const genesis = parseGenesis(await readFile(join(testnet.home(0), 'genesis.json'), 'utf8'));
  const { validators } = validatorsFromGenesis(genesis.validators);
  const key = keccak256(utf8ToBytes(name));
  const address = publicKeyToAddress(provider.publicKey(key));
  const tls = await generateTlsIdentity();
  const heard = new Set<(message: PeerMessage) => void>();
  const network = createNetwork(
    {
      listen: { host: '127.0.0.1', port: 0 },
      advertise: null,
      tls,
      identity: { address, role: 'full', signer: address, sign: (digest) => provider.sign(digest, key) },
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      protocol: () => ({ known: 1, upgrades: [] }),
      peers: peers.map((peer) => ({ ...peer, address: peer.address.toLowerCase() as Address })),
      signersOf: (owner) => validators.filter((one) => one.address === owner).map(({ signer }) => signer),
      provider,
      headHeight: () => 0 as Height,
      clock: {
        nowMs: () => Date.now(),
        monotonicMs: () => performance.now(),
        after(delayMs, callback) {
          const timer = setTimeout(callback, delayMs);
          return () => clearTimeout(timer);
        },
      },
      random: () => 0.5,
      log: { warn: () => undefined, info: () => undefined, debug: () => undefined },
    },
    {
      onMessage(from, message) {
        for (const listener of heard) listener(message);
        const said = answer(message);
        if (said !== null) network.send(from, said);
      },
      onPeerConnected: (peer) => {
        if (greeting !== undefined) network.send(peer.address, greeting);
      },
      onPeerDisconnected: () => undefined,
      onIdentityInUse: () => undefined,
    },
  );
  networks.push(network);
  const { port } = (await network.start())!;
  return {
    address,
    table: `[[p2p.peers]]\naddress = "${address}"\nhost = "127.0.0.1"\nport = ${port}\nspki = "${tls.spki}"\n`,
    network,
    /** @returns the first answer of a kind to what is asked again and again, because not every question is answered */
    ask<Kind extends PeerMessage['kind']>(message: PeerMessage, kind: Kind) {
      return until(`there is an answer of ${kind}`, async () => {
        const answered = new Promise<Extract<PeerMessage, { readonly kind: Kind }> | null>((resolve) => {
          const done = (found: Extract<PeerMessage, { readonly kind: Kind }> | null): void => {
            heard.delete(listener);
            clearTimeout(timer);
            resolve(found);
          };
          const listener = (said: PeerMessage): void => {
            if (said.kind === kind) done(said as Extract<PeerMessage, { readonly kind: Kind }>);
          };
          const timer = setTimeout(() => done(null), 1_000);
          heard.add(listener);
        });
        for (const peer of network.peers()) network.send(peer.address, message);
        return answered;
      });
    },
  };
}

/** What a follower hears from the validators, of all that a liar may want to bend. */
async function learn(): Promise<Chain> {
  const home = homePaths(testnet.home(0));
  const genesis = parseGenesis(await readFile(home.genesis, 'utf8'));
  const spki = spkiOf(await readFile(home.tlsCertificate, 'utf8'));
  const { self } = (await (await fetch(`${testnet.adminUrl(0)}/consensus`)).json()) as { readonly self: string };
  const place = { host: '127.0.0.1', port: Number(new URL(testnet.url(0)).port) + 1 };
  expect(genesis.validators.map(({ address }) => address)).toContain(self);
  const { ask, network } = await follower('honest', [{ address: self, ...place, spki }], silence);
  const head = await heightOf(0);
  const { blocks } = await ask({ kind: 'blocksRequest', requestId: 1, from: 1 as Height, count: head }, 'blocks');
  expect(blocks).toHaveLength(head);
  const { validators } = await ask({ kind: 'headersRequest', requestId: 2, from: 1 as Height, count: 1 }, 'headers');
  const manifest = await until('there is a snapshot', async () => {
    const { manifests } = await ask({ kind: 'snapshotsRequest', requestId: 3 }, 'snapshots');
    return manifests[0] ?? null;
  });
  const decoded = decodeSnapshotManifest(manifest);
  const chunks: Uint8Array[] = [];
  for (const index of decoded.chunkHashes.keys()) {
    const wanted = { snapshot: snapshotId(decoded), height: decoded.height, index };
    chunks.push((await ask({ kind: 'chunkRequest', requestId: 4 + index, ...wanted }, 'chunk')).bytes);
  }
  await network.close();
  return { head, blocks, genesisSet: validators, manifest, chunks };
}

/** The liars are asked for whatever the node would ask anybody for. */
async function introduce(node: number, tables: readonly string[], trustedHeight: number | null): Promise<void> {
  const path = homePaths(testnet.home(node)).config;
  let config = await readFile(path, 'utf8');
  if (trustedHeight !== null)
    config = config
      .replace('# trusted_height = 0', `trusted_height = ${trustedHeight}`)
      .replace('# trusted_hash = ""', `trusted_hash = "${chain.blocks[trustedHeight - 1]!.hash}"`);
  await writeFile(path, config.replace('\n[[p2p.peers]]', `\n${tables.join('\n')}\n[[p2p.peers]]`));
}

/** Whom a node has banned, as it stands on its disk. */
const bannedBy = async (node: number): Promise<readonly string[]> => {
  const text = await readFile(join(testnet.home(node), 'bans.json'), 'utf8');
  return (JSON.parse(text) as readonly { readonly address: string }[]).map(({ address }) => address);
};
const killValidators = (): Promise<unknown> => Promise.all([0, 1].map((node) => testnet.kill(node, 'SIGKILL')));
const startValidators = (): Promise<unknown> => Promise.all([0, 1].map((node) => testnet.start(node)));

async function expectLevel(node: number): Promise<void> {
  const head = await heightOf(0);
  expect(head).toBeGreaterThanOrEqual(chain.head);
  await until('it has what the others have', async () => (await heightOf(node)) >= head);
  expect(await hashAt(node, head)).toBe(await hashAt(0, head));
  expect(await call(node, 'primeorders_getAccount', [account])).toMatchObject({
    collateral: `0x${deposits.toString(16)}`,
  });
}

beforeAll(async () => {
  testnet = await createTestnet({
    validators: 2,
    followers: 2,
    idlePace: 'still',
    environment: { PRIME_SNAPSHOTS_INTERVAL_BLOCKS: '10', PRIME_SNAPSHOTS_KEEP: '1' },
  });
  await startValidators();
  // Each deposit needs a block, and there has to be one behind the snapshot.
  while ((await heightOf(0)) < 14) {
    deposits += 1;
    await call(0, 'primeorders_depositCollateral', [account, '0x1']);
  }
  chain = await learn();
});
afterAll(async () => {
  await Promise.all(networks.map((network) => network.close()));
  await testnet.destroy();
});

describe('a node whose only peers lie at first', () => {
  it('about blocks: none of them is taken, the liar is banned, and the true ones come from the others', async () => {
    await killValidators();
    const forged = chain.blocks.map(({ block, certificate }) => {
      const header = { ...block.header, timestampMs: (block.header.timestampMs + 1) as TimestampMs };
      const hash = headerHash(header);
      return { block: { ...block, header }, hash, certificate: { ...certificate, blockHash: hash } };
    });
    const head = chain.head as Height;
    const liar = await follower(
      'liar about blocks',
      [],
      (message) =>
        message.kind === 'blocksRequest'
          ? {
              kind: 'blocks',
              requestId: message.requestId,
              blocks: forged.slice(message.from - 1, message.from - 1 + message.count),
            }
          : null,
      { kind: 'status', height: (head + 1) as Height, round: 0 as Round, head, base: 1 as Height },
    );
    await introduce(fromGenesis, [liar.table], null);
    await testnet.start(fromGenesis);
    await until('the liar is banned', async () => (await bannedBy(fromGenesis)).includes(liar.address));
    expect(await heightOf(fromGenesis)).toBe(0);
    await startValidators();
    await expectLevel(fromGenesis);
    expect(await bannedBy(fromGenesis)).toEqual([liar.address]);
  });

  it('about the root of a snapshot, and about what is in one: neither is taken, both are banned, and the true one is', async () => {
    await killValidators();
    const manifest = decodeSnapshotManifest(chain.manifest);
    const liars = await Promise.all(
      (['forged', 'true'] as const).map(async (claims) => {
        // One account is gone; all else fits together.
        const lie = await forgedSnapshot({ manifest, chunks: chain.chunks }, victim(), claims);
        expect(lie.manifest.stateRoot === manifest.stateRoot).toBe(claims === 'true');
        return follower(`liar with a ${claims} root`, [], (message) => snapshotAnswer(message, lie));
      }),
    );
    await introduce(
      fromSnapshot,
      liars.map(({ table }) => table),
      3,
    );
    const started = testnet.start(fromSnapshot);
    for (const { address } of liars)
      await until('the liar is banned', async () => (await bannedBy(fromSnapshot)).includes(address));
    expect(testnet.tail(fromSnapshot)).not.toContain('"msg":"ready"');
    await startValidators();
    await started;
    await expectLevel(fromSnapshot);
    expect(BigInt(await call<string>(fromSnapshot, 'eth_getBalance', [victim(), 'latest']))).toBeGreaterThan(0n);
    expect((await bannedBy(fromSnapshot)).toSorted()).toEqual(liars.map(({ address }) => address).toSorted());
  });
});

/** Somebody to whom genesis gave wei. */
const victim = (): Address => parseAddress('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266');

/** True headers, which prove themselves, and a snapshot that is none. */
function snapshotAnswer(
  message: PeerMessage,
  { manifest, chunks }: Awaited<ReturnType<typeof forgedSnapshot>>,
): PeerMessage | null {
  switch (message.kind) {
    case 'snapshotsRequest':
      return { kind: 'snapshots', requestId: message.requestId, manifests: [encodeSnapshotManifest(manifest)] };
    case 'chunkRequest':
      return {
        kind: 'chunk',
        requestId: message.requestId,
        bytes: chunks[message.index] ?? new Uint8Array(0),
      };
    case 'headersRequest': {
      const asked = chain.blocks.slice(message.from - 1, message.from - 1 + message.count);
      return {
        kind: 'headers',
        requestId: message.requestId,
        headers: asked.map(({ block }) => block.header),
        certificate: asked.at(-1)?.certificate ?? null,
        validators: chain.genesisSet,
      };
    }
    default:
      return null;
  }
}
