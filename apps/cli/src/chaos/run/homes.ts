import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { homePaths, parseGenesis, placeFrom, renderConfigToml, type TestnetPlace, validatorName } from '@prime/config';
import type { Genesis } from '@prime/codec';
import { configValues, readToml, writeTestnet } from '../../testnet/files.ts';
import { freePlaces, nextFree } from '../../testnet/ports.ts';
import { LinkMesh } from '../link/linkMesh.ts';

export interface ChaosHomes {
  readonly homes: readonly string[];
  /** Where the load writes and reads, as anyone does. */
  readonly publicUrls: readonly string[];
  /** Where the run looks at the nodes: no limits of clients. */
  readonly operatorUrls: readonly string[];
  /** Addresses of the validators. */
  readonly addresses: readonly string[];
  readonly genesis: Genesis;
  readonly mesh: LinkMesh;
}

export interface HomesOptions {
  readonly directory: string;
  readonly validators: number;
  readonly seed: number;
  /** Ten ports per validator from here, then one for each ordered pair of validators; null takes what is free. */
  readonly basePort: number | null;
}

const anyBasePort = 18_000;
const host = '127.0.0.1';

/** Writes the homes of a network in which every validator dials every other one through a proxy of this process. */
export async function prepareHomes(options: HomesOptions): Promise<ChaosHomes> {
  const { directory, validators, seed, basePort } = options;
  const wanted = Array.from({ length: validators }, (_, index) => placeFrom(basePort ?? anyBasePort, index));
  const places = await freePlaces(wanted, () => undefined);
  await writeTestnet({ directory, preset: 'local', places, seed: `chaos ${seed}` });
  const mesh = await LinkMesh.open({
    p2pPorts: places.map(({ p2pPort }) => p2pPort),
    firstPort: basePort === null ? null : basePort + 10 * validators,
    seed,
  });
  const homes = places.map((_, index) => join(directory, validatorName(index)));
  const operatorPorts = await operatorPortsOf(places);
  for (const [index, home] of homes.entries()) await throughProxies(home, { index, places, mesh, operatorPorts });
  const genesis = parseGenesis(await readFile(homePaths(homes[0]!).genesis, 'utf8'));
  return {
    homes,
    publicUrls: places.map(({ rpcPort }) => `http://${host}:${rpcPort}`),
    operatorUrls: operatorPorts.map((port) => `http://${host}:${port}`),
    addresses: homes.map((_, index) => {
      const found = genesis.validators.find(({ moniker }) => moniker === validatorName(index));
      return found!.address;
    }),
    genesis,
    mesh,
  };
}

async function operatorPortsOf(places: readonly TestnetPlace[]): Promise<number[]> {
  const taken = new Set(places.flatMap(({ rpcPort, p2pPort, adminPort }) => [rpcPort, p2pPort, adminPort]));
  const ports: number[] = [];
  for (const { adminPort } of places) {
    const port = await nextFree(host, adminPort + 1, taken);
    taken.add(port);
    ports.push(port);
  }
  return ports;
}

/** Rewrites a validator's configuration: its peers are where the proxies listen. */
async function throughProxies(
  home: string,
  network: {
    readonly index: number;
    readonly places: readonly TestnetPlace[];
    readonly mesh: LinkMesh;
    readonly operatorPorts: readonly number[];
  },
): Promise<void> {
  const { index, places, mesh, operatorPorts } = network;
  const toml = await readToml(home);
  const peers = (toml['p2p']?.['peers'] ?? []) as readonly { readonly port: number }[];
  const values = configValues(toml);
  values['p2p.peers'] = peers.map((peer) => {
    const to = places.findIndex(({ p2pPort }) => p2pPort === peer.port);
    return { ...peer, port: mesh.port({ from: index, to }) };
  });
  values['rpc.operator_listen'] = `${host}:${operatorPorts[index]}`;
  await writeFile(homePaths(home).config, renderConfigToml(values));
}
