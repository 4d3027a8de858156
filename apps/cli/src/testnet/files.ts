import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type ConfigValues,
  createTestnet,
  formatListenAddress,
  homePaths,
  parseConfigToml,
  parseSignerConfig,
  type PresetName,
  presetPrices,
  renderConfigToml,
  renderSignerConfig,
  type TestnetInput,
  type TestnetPlace,
  validatorName,
} from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { generateTlsIdentity, spkiOf } from '@prime/network';
import { toTimestampMs } from '@prime/primitives';
import { notEmpty } from '../errors.ts';
import { feederFileName, simulatedFeeder } from '../oracle/feederFile.ts';
import type { SignerHere } from './ports.ts';

/** What a network has of its own, of {@link createTestnet}. */
type OwnParts = Pick<TestnetInput, 'genesis' | 'members' | 'followerNames' | 'wiring'>;

/** What the homes of a new network are made from. */
export interface InitOptions extends OwnParts {
  readonly directory: string;
  readonly preset: PresetName;
  readonly places: readonly TestnetPlace[];
  readonly followerPlaces?: readonly TestnetPlace[];
  /** The same seed gives the same validator keys; only for test networks. */
  readonly seed: string | null;
  /** Time of genesis; default: now. */
  readonly timestampMs?: number | null;
  /** By symbols, around which prices are simulated, for a whole unit; default: as the markets of presets have them. */
  readonly prices?: Readonly<Record<string, string>>;
}

/** Writes the homes of a new network, and what its feeder reads where it has an oracle. @throws CliError `CLI_NOT_EMPTY` when the folder holds validators already */
export async function writeTestnet(options: InitOptions): Promise<void> {
  const { directory, preset, places, followerPlaces = [], seed, timestampMs, prices, ...own } = options;
  if (existsSync(directory) && readdirSync(directory).some((name) => /^validator\d+$/.test(name)))
    throw notEmpty(`${directory} holds a network already: name another folder, or remove this one`, directory);
  const tls = await Promise.all([...places, ...followerPlaces].map(() => generateTlsIdentity()));
  const { files, genesis } = createTestnet({
    ...own,
    preset,
    timestampMs: toTimestampMs(timestampMs ?? Date.now()),
    places,
    followerPlaces,
    tls,
    randomBytes: seed === null ? (length) => randomBytes(length) : seededBytes(seed),
    provider: await cryptoProvider(),
  });
  for (const { path, text, mode } of files) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, text, { mode });
    await chmod(target, mode);
  }
  const simulated = { ...presetPrices, ...prices };
  const fed = genesis.markets.filter(({ oracle }) => oracle === true);
  if (fed.length > 0)
    await writeFile(
      join(directory, feederFileName),
      simulatedFeeder(fed.map(({ symbol }) => ({ symbol, price: simulated[symbol]! }))),
    );
}

/** A stream of bytes that a seed determines: SHA-256 over seed and counter. */
function seededBytes(seed: string): (length: number) => Uint8Array {
  let counter = 0;
  return (length) => {
    const chunks: Buffer[] = [];
    while (chunks.length * 32 < length)
      chunks.push(createHash('sha256').update(`prime-testnet/${seed}/${counter++}`).digest());
    return new Uint8Array(Buffer.concat(chunks).subarray(0, length));
  };
}

interface TomlPeer {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly spki: string;
}

/** The configuration of a home as it is written. */
const readConfig = async (home: string): Promise<ConfigValues> =>
  parseConfigToml(await readFile(homePaths(home).config, 'utf8'));
const portOf = (listen: unknown): number => Number(String(listen).split(':').at(-1));

/** How many validators a network's folder holds. */
export const countValidators = (directory: string): number =>
  existsSync(directory) ? readdirSync(directory).filter((name) => /^validator\d+$/.test(name)).length : 0;

const nodeFolder = /^(validator|sentry|follower)\d+$/;
/** Every node that has a home in a network's folder. */
const homesIn = (directory: string): string[] => readdirSync(directory).filter((name) => nodeFolder.test(name));

/** Where nodes of an existing network are set to listen. @param names default: its validators */
export async function readPlaces(
  directory: string,
  names: readonly string[] = Array.from({ length: countValidators(directory) }, (_, index) => validatorName(index)),
): Promise<TestnetPlace[]> {
  const configs = await Promise.all(names.map((name) => readConfig(join(directory, name))));
  return configs.map((values) => ({
    listenHost: '127.0.0.1',
    dialHost: '127.0.0.1',
    rpcPort: portOf(values['rpc.listen']),
    p2pPort: portOf(values['p2p.listen']),
    adminPort: portOf(values['admin.listen']),
  }));
}

interface PlacedSigner extends SignerHere {
  /** Where its validator dials it. */
  readonly dial: string;
}

/** Where the nodes of a network are, before their homes say so. */
export interface PlacedNetwork {
  readonly nodes: readonly { readonly name: string; readonly place: TestnetPlace }[];
  readonly signers?: readonly PlacedSigner[];
  /** Where one node dials another one, by their numbers; default: the other's own port. */
  readonly way?: (link: { readonly from: number; readonly to: number }) => number;
}

/** Rewrites the ports in the homes of a network: each node's own, and those of its peers. Homes of other nodes learn the ports of their peers. */
export async function placeNetwork(directory: string, { nodes, signers = [], way }: PlacedNetwork): Promise<void> {
  const numberOf = new Map<string, number>();
  for (const [index, { name }] of nodes.entries())
    numberOf.set(spkiOf(await readFile(homePaths(join(directory, name)).tlsCertificate, 'utf8')), index);
  for (const name of homesIn(directory)) {
    const from = nodes.findIndex((node) => node.name === name);
    await changeConfig(join(directory, name), (values) => {
      values['p2p.peers'] = peersOf(values).map((peer) => {
        const to = numberOf.get(peer.spki);
        if (to === undefined) return peer;
        return { ...peer, port: from < 0 || way === undefined ? nodes[to]!.place.p2pPort : way({ from, to }) };
      });
      if (from < 0) return;
      const { listenHost: host, rpcPort, p2pPort, adminPort } = nodes[from]!.place;
      values['rpc.listen'] = formatListenAddress({ host, port: rpcPort });
      values['p2p.listen'] = formatListenAddress({ host, port: p2pPort });
      values['admin.listen'] = formatListenAddress({ host, port: adminPort });
    });
  }
  for (const signer of signers) await placeSigner(directory, signer);
}

/** Where a remote signer listens, and where its validator looks for it. */
async function placeSigner(directory: string, { name, validator, listen, dial, admin }: PlacedSigner): Promise<void> {
  const path = homePaths(join(directory, name)).signerConfig;
  const before = await readFile(path, 'utf8');
  const after = renderSignerConfig(listen, parseSignerConfig(before, path).nodes, admin);
  if (after !== before) await writeFile(path, after);
  await changeConfig(join(directory, validator), (values) => {
    values['signer.address'] = dial;
  });
}

/** What nobody changes stays as its operator wrote it, with its comments. */
export async function changeConfig(home: string, change: (values: Record<string, unknown>) => void): Promise<void> {
  const values = { ...(await readConfig(home)) };
  const before = JSON.stringify(values);
  change(values);
  if (JSON.stringify(values) !== before) await writeFile(homePaths(home).config, renderConfigToml(values));
}

const peersOf = (values: ConfigValues): readonly TomlPeer[] => (values['p2p.peers'] ?? []) as readonly TomlPeer[];
