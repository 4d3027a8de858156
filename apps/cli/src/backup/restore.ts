import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Genesis, genesisHash } from '@prime/codec';
import { type HomePaths, homePaths, parseGenesis, relativeHomePaths } from '@prime/config';
import { restoreSnapshot } from '@prime/node';
import { utf8ToBytes } from '@prime/primitives';
import { makeSealedSignState, writeFileDurably } from '@prime/storage';
import { CliError, notFound, notEmpty } from '../errors.ts';
import { findSnapshot } from '../home/snapshotFolder.ts';
import { snapshotFolder, watermarkName } from './create.ts';
import { compareFiles } from './files.ts';
import { type BackupManifest, damaged, manifestName, parseManifest } from './manifest.ts';
import { whileLocked, withSignState } from '../home/openHome.ts';

/** A backup in which nothing is missing or changed. */
export interface VerifiedBackup {
  readonly folder: string;
  readonly manifest: BackupManifest;
  readonly genesis: Genesis;
}

/**
 * Reads a backup as a whole.
 *
 * @param expected genesis of the network that it has to be of; null takes any
 * @throws CliError `CLI_NOT_FOUND`, `CLI_BACKUP_DAMAGED` with the file, `CLI_BACKUP_FOREIGN`
 */
export async function verifyBackup(from: string, expected: Genesis | null): Promise<VerifiedBackup> {
  const folder = resolve(from);
  const manifest = parseManifest(await readManifest(folder), folder);
  await compareFiles(folder, manifest);
  const genesis = await attempt(folder, relativeHomePaths.genesis, async (path) =>
    parseGenesis(await readFile(path, 'utf8')),
  );
  if (genesisHash(genesis) !== manifest.genesisHash)
    throw damaged(
      folder,
      relativeHomePaths.genesis,
      `is of ${genesisHash(genesis)}, and ${manifest.genesisHash} was backed up`,
    );
  if (expected !== null && genesisHash(expected) !== manifest.genesisHash)
    throw new CliError(
      `the backup ${folder} is of the network ${manifest.network} with genesis ${manifest.genesisHash}, and not of ${genesisHash(expected)}`,
      { code: 'CLI_BACKUP_FOREIGN', path: folder, expected: genesisHash(expected), found: manifest.genesisHash },
    );
  await attempt(folder, watermarkName, async (path) => readWatermark(path, genesis));
  return { folder, manifest, genesis };
}

async function readManifest(folder: string): Promise<string> {
  try {
    return await readFile(join(folder, manifestName), 'utf8');
  } catch (cause) {
    throw notFound(`${folder} is no backup: there is no ${manifestName} in it, which is written last`, folder, {
      cause,
    });
  }
}

async function attempt<Result>(folder: string, file: string, read: (path: string) => Promise<Result>): Promise<Result> {
  try {
    return await read(join(folder, file));
  } catch (cause) {
    throw damaged(folder, file, `can not be read: ${(cause as Error).message}`, cause);
  }
}

/** null where nothing was signed. */
const readWatermark = (path: string, genesis: Genesis) =>
  existsSync(path) ? withSignState(path, genesis, (store) => store.read()) : null;

/** There while a restore is under way. What it is in may be removed. */
const markerName = 'RESTORING';

/**
 * Makes a home of a backup. `config.toml` comes last, and no node starts without it: a restore that is cut off leaves no home, and may be begun again.
 *
 * The sign state is sealed ({@link makeSealedSignState}): the key may have signed later things than the backup knows.
 *
 * @param home new or empty, or what a restore that was cut off left
 * @throws CliError `CLI_NOT_EMPTY`, `CLI_BACKUP_DAMAGED`; StorageError `DATA_DIR_LOCKED`; ChainError `CHAIN_SNAPSHOT_REFUSED`
 */
export async function restoreBackup({ folder, manifest, genesis }: VerifiedBackup, home: string): Promise<HomePaths> {
  const paths = homePaths(resolve(home));
  refuseFilled(paths);
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  return whileLocked(paths, async () => {
    const marker = join(paths.home, markerName);
    writeFileDurably(marker, utf8ToBytes(`${folder}\n`), 0o600);
    await clear(paths);
    const { config, genesis: genesisName } = relativeHomePaths;
    for (const { path } of manifest.files)
      if (!path.startsWith(`${snapshotFolder}/`) && ![config, genesisName, watermarkName].includes(path))
        await put(paths.home, folder, path);
    if (manifest.height !== null) {
      const { manifest: snapshot, chunks } = findSnapshot(join(folder, snapshotFolder), String(manifest.height));
      await restoreSnapshot({ home: paths, genesis }, snapshot, chunks());
    }
    const record = readWatermark(join(folder, watermarkName), genesis);
    makeSealedSignState(paths.signState, genesisHash(genesis), record);
    for (const path of [genesisName, config]) await put(paths.home, folder, path);
    await rm(marker);
    return paths;
  });
}

/** As in the home that was backed up: what is public may be read by others. */
const openFiles = new Set([
  relativeHomePaths.config,
  relativeHomePaths.genesis,
  relativeHomePaths.declaration,
  relativeHomePaths.tlsCertificate,
]);

async function put(home: string, folder: string, path: string): Promise<void> {
  const target = join(home, path);
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writeFileDurably(target, new Uint8Array(await readFile(join(folder, path))), openFiles.has(path) ? 0o644 : 0o600);
}

/** What a lock leaves behind is nobody's. */
const lockNames = new Set([relativeHomePaths.lock, relativeHomePaths.systemLock]);
/** The password of keys is in no backup, and may be put there beforehand. */
const keysName = relativeHomePaths.keys;

function refuseFilled(paths: HomePaths): void {
  if (!existsSync(paths.home)) return;
  const names = readdirSync(paths.home).filter((name) => !lockNames.has(name));
  if (names.includes(markerName) && !existsSync(paths.config)) return;
  const isPassword = (name: string): boolean =>
    name === keysName && readdirSync(paths.keys).every((each) => join(paths.keys, each) === paths.keyPassword);
  if (names.every(isPassword)) return;
  throw notEmpty(`${paths.home} is not empty: a backup is restored into a new folder`, paths.home);
}

/** Removes what a restore that was cut off left. */
async function clear(paths: HomePaths): Promise<void> {
  for (const name of readdirSync(paths.home))
    if (![markerName, keysName, ...lockNames].includes(name))
      await rm(join(paths.home, name), { recursive: true, force: true });
}
