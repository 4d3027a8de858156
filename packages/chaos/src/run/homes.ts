import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  devPrivateKeys,
  followerName,
  homePaths,
  keyPair,
  ownerKeyPath,
  parseConfigToml,
  parseGenesis,
  parseKeystore,
  placeFrom,
  renderConfigToml,
  type TestnetPlace,
  validatorName,
} from '@prime/config';
import type { Genesis } from '@prime/codec';
import { cryptoProvider } from '@prime/crypto';
import { spkiOf } from '@prime/network';
import { type Address, assert } from '@prime/primitives';
import { LinkMesh } from '../link/linkMesh.ts';
import type { PrimeProgram } from '../primeProgram.ts';
import { hangMs } from '../schedule/deadlines.ts';
import { snapshotBlocksAt } from '../schedule/pace.ts';

/** A network that is made but does not run: folders, ports and keys of its nodes, by the index of the node. */
export interface ChaosHomes {
  /** Of all nodes: validators, then followers. So are the other lists. */
  readonly homes: readonly string[];
  readonly names: readonly string[];
  /** Where the load writes and reads, as anyone does. */
  readonly publicUrls: readonly string[];
  /** Where the run looks at the nodes: no limits of clients. */
  readonly operatorUrls: readonly string[];
  /** Owners: of the validators, and of what followers become when they join. */
  readonly addresses: readonly Address[];
  readonly p2pPorts: readonly number[];
  /** Pins of their certificates. */
  readonly spkis: readonly string[];
  readonly genesis: Genesis;
  /** Least time between two blocks. */
  readonly blockIntervalMs: number;
  /** Blocks between two snapshots, which others can begin with; 0 where nobody takes any. */
  readonly snapshotBlocks: number;
  readonly mesh: LinkMesh;
}

/** What a network of a run is made from; the same seed gives the same keys. */
export interface HomesOptions {
  /** Where homes, logs and the report go: an empty folder. */
  readonly directory: string;
  readonly validators: number;
  readonly followers: number;
  /** Of all deadlines. */
  readonly patience: number;
  readonly seed: number;
  /** Least time between two blocks. */
  readonly blockIntervalMs: number;
  /** Ten ports per node from here, then one for each ordered pair of nodes; null takes what is free. */
  readonly basePort: number | null;
  readonly prime: PrimeProgram;
}

const anyBasePort = 18_000;
const host = '127.0.0.1';

/** Accounts of the preset before this one belong to the load. */
const firstOwnerAccount = 5;
/** Who is away for as long is jailed where enough others are left; longer than a restart takes. */
const downtimeWindowMs = 30_000;
const downtimeJailMs = 2_000;
/** Stake comes back within the run, so that one owner can join again and again. */
const evidenceMaxAgeMs = 60_000;
const evidenceMaxAgeBlocks = 1_000;

/** Writes the homes of a network in which every node dials every validator through a proxy of this process. */
export async function prepareHomes(options: HomesOptions): Promise<ChaosHomes> {
  const { directory, validators, followers, seed, blockIntervalMs, basePort, prime } = options;
  const count = validators + followers;
  const wanted = Array.from({ length: count }, (_, index) => placeFrom(basePort ?? anyBasePort, index));
  const places = await prime.freePlaces(wanted);
  const own = { places: places.slice(0, validators), followerPlaces: places.slice(validators) };
  await prime.writeHomes({ directory, ...own, seed: `chaos ${seed}` });
  const mesh = await LinkMesh.open({
    p2pPorts: places.map(({ p2pPort }) => p2pPort),
    firstPort: basePort === null ? null : basePort + 10 * count,
    seed,
  });
  const names = places.map((_, index) =>
    index < validators ? validatorName(index) : followerName(index - validators),
  );
  const homes = names.map((name) => join(directory, name));
  const operatorPorts = await operatorPortsOf(places, prime);
  // Who has nobody to give them to does not take any: they cost time while blocks are caught up with.
  const snapshotBlocks = followers > 0 ? snapshotBlocksAt(blockIntervalMs) : 0;
  for (const [index, home] of homes.entries()) {
    await throughProxies(home, index, { places, mesh, operatorPorts, patience: options.patience, snapshotBlocks });
    await editGenesis(home, blockIntervalMs);
    if (index >= validators) await giveOwner(home, firstOwnerAccount + index - validators, prime);
  }
  return {
    homes,
    names,
    publicUrls: places.map(({ rpcPort }) => `http://${host}:${rpcPort}`),
    operatorUrls: operatorPorts.map((port) => `http://${host}:${port}`),
    addresses: await Promise.all(homes.map(ownerOf)),
    p2pPorts: places.map(({ p2pPort }) => p2pPort),
    spkis: await Promise.all(homes.map(async (home) => spkiOf(await readFile(homePaths(home).tlsCertificate, 'utf8')))),
    genesis: parseGenesis(await readFile(homePaths(homes[0]!).genesis, 'utf8')),
    blockIntervalMs,
    snapshotBlocks,
    mesh,
  };
}

async function ownerOf(home: string): Promise<Address> {
  const path = ownerKeyPath(home);
  const { address } = parseKeystore(await readFile(path, 'utf8'), path);
  assert(address !== null, `${path} was written with its address`);
  return address;
}

/** Downtime is judged within the length of a phase. */
async function editGenesis(home: string, minBlockIntervalMs: number): Promise<void> {
  const path = homePaths(home).genesis;
  const genesis = JSON.parse(await readFile(path, 'utf8')) as { readonly consensus: object; readonly staking?: object };
  const consensus = { ...genesis.consensus, minBlockIntervalMs };
  const staking = {
    ...genesis.staking,
    downtimeWindowMs,
    downtimeMinSignedBps: 1_000,
    downtimeJailMs,
    evidenceMaxAgeMs,
    evidenceMaxAgeBlocks,
    unbondingMs: evidenceMaxAgeMs,
  };
  await writeFile(path, `${JSON.stringify({ ...genesis, consensus, staking }, null, 2)}\n`);
}

/** A follower that is to become a validator belongs to an account that genesis gave wei to. */
async function giveOwner(home: string, account: number, { writeOwner }: PrimeProgram): Promise<void> {
  await writeOwner(home, keyPair(await cryptoProvider(), devPrivateKeys()[account]!));
}

async function operatorPortsOf(places: readonly TestnetPlace[], { freePort }: PrimeProgram): Promise<number[]> {
  const taken = new Set(places.flatMap(({ rpcPort, p2pPort, adminPort }) => [rpcPort, p2pPort, adminPort]));
  const ports: number[] = [];
  for (const { adminPort } of places) {
    const port = await freePort(host, adminPort + 1, taken);
    taken.add(port);
    ports.push(port);
  }
  return ports;
}

/** Rewrites a node's configuration: its peers are where the proxies listen. */
async function throughProxies(
  home: string,
  index: number,
  network: {
    readonly places: readonly TestnetPlace[];
    readonly mesh: LinkMesh;
    readonly operatorPorts: readonly number[];
    readonly patience: number;
    readonly snapshotBlocks: number;
  },
): Promise<void> {
  const { places, mesh, operatorPorts, patience, snapshotBlocks } = network;
  const { config } = homePaths(home);
  const values = { ...parseConfigToml(await readFile(config, 'utf8')) };
  const peers = (values['p2p.peers'] ?? []) as readonly { readonly port: number }[];
  values['p2p.peers'] = peers.map((peer) => {
    const to = places.findIndex(({ p2pPort }) => p2pPort === peer.port);
    return { ...peer, port: mesh.port({ from: index, to }) };
  });
  values['rpc.operator_listen'] = `${host}:${operatorPorts[index]}`;
  values['snapshots.interval_blocks'] = snapshotBlocks;
  values['threads.hang_ms'] = Math.round(hangMs * patience);
  await writeFile(config, renderConfigToml(values));
}
