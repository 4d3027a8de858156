import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { genesisHash } from '@prime/codec';
import { type HomePaths, homePaths, loadConfig, parseGenesis, parseSignerConfig } from '@prime/config';
import { readHomeFile } from '@prime/node';
import { bytesEqual, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { importWatermark } from '../commands/keys/watermark.ts';
import { CliError, usageError, notFound } from '../errors.ts';
import { makeKeys } from './nodeKeys.ts';

/** What a platform mounts read-only, and where it has to be. */
export interface ProvisionInput {
  readonly kind: 'node' | 'signer';
  /** Folder of the home: a volume that outlives the process. */
  readonly home: string;
  /** Folder with `genesis.json`, and `config.toml` or `signer.toml`. */
  readonly config: string;
  /** Folder with the files of `keys/`, and maybe `watermark.json`; null makes keys where there are none. */
  readonly keys: string | null;
}

/** In the folder of keys, and no key: the newest signature, for a key that comes from elsewhere. */
const watermarkName = 'watermark.json';
const ownerName = 'owner.json';

/**
 * Makes a home of what is mounted, at every start of its container. A home that is there is kept, and only brought up to date; one of another network or with
 * another key is refused before anything is written, because its sign state is not that of the key.
 *
 * @throws CliError `CLI_OTHER_HOME`, `CLI_NOT_FOUND`, `CLI_USAGE`; ConfigError for files that are not what they should be
 */
export async function provisionHome({ kind, home, config, keys }: ProvisionInput): Promise<void> {
  const paths = homePaths(resolve(home));
  const genesis = mounted(config, 'genesis.json');
  const settings = kind === 'node' ? paths.config : paths.signerConfig;
  const text = mounted(config, kind === 'node' ? 'config.toml' : 'signer.toml');
  if (kind === 'node') loadConfig({ file: { name: settings, text }, environment: process.env });
  else parseSignerConfig(text, settings);
  await checkNetwork(paths, genesis);
  const files = keys === null ? [] : keyFilesIn(keys);
  checkKey(paths, files);
  mkdirSync(paths.keys, { recursive: true, mode: 0o700 });
  // They show who a follower is, and sign nothing: a password that is drawn is enough.
  if (keys === null) await makeKeys(paths, {}, { withOwner: false, isTest: true });
  for (const { name, bytes } of files) if (name !== watermarkName) put(join(paths.keys, name), bytes, 0o600);
  if (keys !== null) removeOld(paths, files);
  put(settings, utf8ToBytes(text), 0o644);
  // Last: what makes the folder a home.
  put(paths.genesis, utf8ToBytes(genesis), 0o644);
  if (files.some(({ name }) => name === watermarkName)) await importWatermark(join(keys!, watermarkName), { home });
}

/** Writes what differs. */
function put(path: string, bytes: Uint8Array, mode: number): void {
  const isSame = existsSync(path) && bytesEqual(readFileSync(path), bytes) && (statSync(path).mode & 0o777) === mode;
  if (!isSame) writeFileDurably(path, bytes, mode);
}

/** The next key may have been made in this home, and be nowhere else: it stays until it is the key. */
function removeOld({ keys, signerKey, nextSignerKey, unlockedAccounts }: HomePaths, files: readonly KeyFile[]): void {
  const isMounted = (path: string): boolean => files.some(({ name }) => join(keys, name) === path);
  if (!isMounted(unlockedAccounts)) rmSync(unlockedAccounts, { force: true });
  const [key, next] = [signerKey, nextSignerKey].map((path) =>
    existsSync(path) ? addressOf(readFileSync(path)) : null,
  );
  if (!isMounted(nextSignerKey) && key === next) rmSync(nextSignerKey, { force: true });
}

function mounted(folder: string, name: string): string {
  const path = join(resolve(folder), name);
  if (!existsSync(path)) throw notFound(`${path} is not there`, path);
  return readFileSync(path, 'utf8');
}

interface KeyFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** The files of a folder of keys. A mounted Secret has its own folders beside them, whose names begin with a dot. */
function keyFilesIn(folder: string): readonly KeyFile[] {
  const place = resolve(folder);
  if (!existsSync(place)) throw notFound(`${place} is not there`, place);
  const names = readdirSync(place).filter((name) => !name.startsWith('.') && statSync(join(place, name)).isFile());
  if (names.includes(ownerName))
    throw usageError(
      `${place} holds ${ownerName}: the key that owns the stake is not needed here, keep it elsewhere`,
      '--keys',
    );
  return names.map((name) => ({ name, bytes: new Uint8Array(readFileSync(join(place, name))) }));
}

async function checkNetwork(paths: HomePaths, genesis: string): Promise<void> {
  const wanted = genesisHash(parseGenesis(genesis));
  if (!existsSync(paths.genesis)) return;
  const own = genesisHash(parseGenesis(await readHomeFile(paths.genesis)));
  if (own !== wanted)
    throw otherHome(paths, `is of network ${own}, and what is mounted of ${wanted}: a new network needs a new volume`);
}

/** A key comes with what it signed, so one may only take the place of itself, or of the next one that was announced. */
function checkKey(paths: HomePaths, files: readonly KeyFile[]): void {
  const fresh = files.find(({ name }) => join(paths.keys, name) === paths.signerKey);
  if (fresh === undefined || !existsSync(paths.signerKey)) return;
  const known = [paths.signerKey, paths.nextSignerKey].filter(existsSync).map((path) => addressOf(readFileSync(path)));
  const address = addressOf(fresh.bytes);
  if (!known.includes(address))
    throw otherHome(
      paths,
      `has the key of ${known.join(' and ')}, and what is mounted is the key of ${address}: is this the volume of another validator?`,
    );
}

const otherHome = ({ home }: HomePaths, words: string): CliError =>
  new CliError(`${home} ${words}`, { code: 'CLI_OTHER_HOME', path: home });

/** What a key file says of itself, encrypted or not; without 0x, in small letters. Whether it is true, the node finds out. */
function addressOf(bytes: Uint8Array): string {
  try {
    const { address } = JSON.parse(new TextDecoder().decode(bytes)) as { readonly address?: unknown };
    if (typeof address === 'string') return address.replace(/^0x/, '').toLowerCase();
  } catch {
    // Nothing of it is shown: it holds a key.
  }
  throw usageError('signer.json is no key file: it has to be JSON with an address', '--keys');
}
