import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  createTestnet,
  homePaths,
  type PresetName,
  renderConfigToml,
  type TestnetPlace,
  validatorName,
} from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { generateTlsIdentity } from '@prime/network';
import { toTimestampMs } from '@prime/primitives';
import { parse } from 'smol-toml';
import { CliError } from '../errors.ts';

export interface InitOptions {
  readonly directory: string;
  readonly preset: PresetName;
  readonly places: readonly TestnetPlace[];
  readonly followerPlaces?: readonly TestnetPlace[];
  /** The same seed gives the same validator keys; only for test networks. */
  readonly seed: string | null;
}

/** Writes the homes of a new network. @throws CliError `CLI_NOT_EMPTY` when the folder holds validators already */
export async function writeTestnet(options: InitOptions): Promise<void> {
  const { directory } = options;
  if (existsSync(directory) && readdirSync(directory).some((name) => /^validator\d+$/.test(name)))
    throw new CliError(`${directory} holds a network already: name another folder, or remove this one`, {
      code: 'CLI_NOT_EMPTY',
      path: directory,
    });
  const { followerPlaces = [] } = options;
  const tls = await Promise.all([...options.places, ...followerPlaces].map(() => generateTlsIdentity()));
  const { files } = createTestnet({
    preset: options.preset,
    timestampMs: toTimestampMs(Date.now()),
    places: options.places,
    followerPlaces,
    tls,
    randomBytes: options.seed === null ? (length) => randomBytes(length) : seededBytes(options.seed),
    provider: await cryptoProvider(),
  });
  for (const { path, text, mode } of files) {
    const target = join(directory, path);
    await mkdir(dirname(target), { recursive: true, mode: 0o700 });
    await writeFile(target, text, { mode });
    await chmod(target, mode);
  }
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

type Toml = Record<string, Record<string, unknown>>;
interface TomlPeer {
  readonly address: string;
  readonly host: string;
  readonly port: number;
  readonly spki: string;
}

/** The configuration of a home as it is written. */
export const readToml = async (home: string): Promise<Toml> =>
  parse(await readFile(homePaths(home).config, 'utf8')) as Toml;
const portOf = (section: Record<string, unknown> | undefined): number =>
  Number(String(section?.['listen']).split(':').at(-1));

/** The same by `section.key`. */
export function configValues(toml: Toml): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const [section, keys] of Object.entries(toml))
    for (const [key, value] of Object.entries(keys)) values[`${section}.${key}`] = value;
  return values;
}

/** How many validators a network's folder holds. */
export const countValidators = (directory: string): number =>
  existsSync(directory) ? readdirSync(directory).filter((name) => /^validator\d+$/.test(name)).length : 0;

/** Where the validators of an existing network are set to listen. */
export async function readPlaces(directory: string): Promise<TestnetPlace[]> {
  const tomls = await readAll(directory);
  return tomls.map(({ rpc, p2p, admin }) => ({
    listenHost: '127.0.0.1',
    dialHost: '127.0.0.1',
    rpcPort: portOf(rpc),
    p2pPort: portOf(p2p),
    adminPort: portOf(admin),
  }));
}

const readAll = (directory: string): Promise<Toml[]> =>
  Promise.all(
    Array.from({ length: countValidators(directory) }, (_, index) => readToml(join(directory, validatorName(index)))),
  );

/** Rewrites the ports in the configuration of a network: each validator's own, and those of its peers. */
export async function movePorts(directory: string, places: readonly TestnetPlace[]): Promise<void> {
  const tomls = await readAll(directory);
  const before = await readPlaces(directory);
  const newPort = new Map(before.map(({ p2pPort }, index) => [p2pPort, places[index]!.p2pPort] as const));
  for (const [index, toml] of tomls.entries()) {
    const place = places[index]!;
    const values = configValues(toml);
    values['rpc.listen'] = `${place.listenHost}:${place.rpcPort}`;
    values['p2p.listen'] = `${place.listenHost}:${place.p2pPort}`;
    values['admin.listen'] = `${place.listenHost}:${place.adminPort}`;
    values['p2p.peers'] = peersOf(toml).map((peer) => ({ ...peer, port: newPort.get(peer.port) ?? peer.port }));
    await writeFile(homePaths(join(directory, validatorName(index))).config, renderConfigToml(values));
  }
  await tellFollowers(directory, newPort);
}

/** Followers dial the validators, whose ports are others now. */
async function tellFollowers(directory: string, newPort: ReadonlyMap<number, number>): Promise<void> {
  for (const name of readdirSync(directory).filter((each) => /^follower\d+$/.test(each))) {
    const home = join(directory, name);
    const toml = await readToml(home);
    const values = configValues(toml);
    values['p2p.peers'] = peersOf(toml).map((peer) => ({ ...peer, port: newPort.get(peer.port) ?? peer.port }));
    await writeFile(homePaths(home).config, renderConfigToml(values));
  }
}

const peersOf = (toml: Toml): readonly TomlPeer[] => (toml['p2p']?.['peers'] ?? []) as readonly TomlPeer[];
