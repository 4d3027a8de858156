import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { type Genesis, genesisHash } from '@prime/codec';
import { type HomePaths, parseGenesis } from '@prime/config';
import { createSnapshot, readHomeFile } from '@prime/node';
import { isPrimeError, utf8ToBytes } from '@prime/primitives';
import { dataDirHolder, syncFolder, writeFileDurably } from '@prime/storage';
import { adminClient } from '../node/adminClient.ts';
import { usageError, notEmpty } from '../errors.ts';
import { withSignState } from '../home/openHome.ts';
import { signersOf } from '../keys/keystores.ts';
import { describeFile, filesIn, moveFolder } from './files.ts';
import { formatManifest, manifestName } from './manifest.ts';

/** What of a home is kept. The log is not: it is worth nothing without the process that wrote it. Neither is the password of the keys. */
const keptFiles = [
  'genesis',
  'config',
  'declaration',
  'validator',
  'signerKey',
  'nextSignerKey',
  'remoteSigner',
  'tlsKey',
  'tlsCertificate',
  'unlockedAccounts',
] as const satisfies readonly (keyof HomePaths)[];

/** Name of the sign state in a backup: by another one it can not be taken for that of a home by mistake. */
export const watermarkName = 'watermark.bin';

/** Folder of a backup with the snapshot of the state, in the same place as in a home. */
export const snapshotFolder = 'snapshots';

/** What a backup holds: how many files, and which state. */
export interface CreatedBackup {
  readonly folder: string;
  /** Of the state; null where there is none in it. */
  readonly height: number | null;
  /** Why there is none; null where nothing was to be said. */
  readonly why: string | null;
  readonly fileCount: number;
}

/**
 * Backs a home up into a new folder, also while the node runs. The folder is there as a whole or not at all.
 *
 * @param withState false leaves the state to peers
 * @throws CliError `CLI_NOT_EMPTY`, `CLI_USAGE`, `CLI_UNREACHABLE`; what reading the home throws
 */
export async function createBackup(paths: HomePaths, out: string, withState: boolean): Promise<CreatedBackup> {
  const folder = resolve(out);
  if (existsSync(folder)) throw notEmpty(`${folder} is there already`, folder);
  if (!existsSync(paths.config))
    throw usageError(
      `${paths.home} is no home of a node: of a remote signer keep the keystores. A new signer made of them learns from its node what was signed`,
      '--home',
    );
  const genesis = parseGenesis(await readHomeFile(paths.genesis));
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  try {
    await copyFiles(paths, partial);
    const signers = await signersOf(paths);
    const { height, why } = withState ? await copyState(paths, partial) : { height: null, why: null };
    const watermark = copySignState(paths, genesis, partial);
    const names = await filesIn(partial);
    const files = [];
    for (const name of names) files.push(await describeFile(partial, name));
    const text = formatManifest({
      createdAt: new Date().toISOString(),
      network: genesis.networkName,
      chainId: genesis.chainId,
      genesisHash: genesisHash(genesis),
      signers,
      watermark,
      height,
      files,
    });
    writeFileDurably(join(partial, manifestName), utf8ToBytes(text), 0o600);
    await rename(partial, folder);
    syncFolder(dirname(folder));
    return { folder, height, why, fileCount: files.length };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

async function copyFiles(paths: HomePaths, to: string): Promise<void> {
  for (const name of keptFiles) {
    const path = paths[name];
    if (!existsSync(path)) continue;
    const target = join(to, relative(paths.home, path));
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    writeFileDurably(target, new Uint8Array(await readFile(path)), 0o600);
  }
}

/** A running node writes one of its two slots at a time: what is torn in a copy is the one of them, unless two writes came while it was read. */
const readsMax = 10;

/** The newest signature that is known. It only says what was signed at least: who restores it signs nothing by it. */
function copySignState({ signState }: HomePaths, genesis: Genesis, to: string) {
  if (!existsSync(signState)) return null;
  const target = join(to, watermarkName);
  for (let read = 1; ; read++) {
    writeFileDurably(target, new Uint8Array(readFileSync(signState)), 0o600);
    try {
      const record = withSignState(target, genesis, (store) => store.read());
      return record && { height: record.height, round: record.round, step: record.step };
    } catch (error) {
      if (read === readsMax || !isPrimeError(error) || error.code !== 'SIGN_STATE_CORRUPT') throw error;
    }
  }
}

/** A snapshot of the newest state, from the node where it runs. */
async function copyState(
  paths: HomePaths,
  to: string,
): Promise<{ readonly height: number | null; readonly why: string | null }> {
  if (!existsSync(paths.state)) return { height: null, why: 'the node has none yet' };
  try {
    if (dataDirHolder(paths.lock) === null) await createSnapshot(paths, paths.backupSnapshot);
    else await askForSnapshot(paths);
    const [height] = readdirSync(paths.backupSnapshot);
    await moveFolder(paths.backupSnapshot, join(to, snapshotFolder));
    return { height: Number(height), why: null };
  } catch (error) {
    // Nothing is lost by it: a home without state fetches it.
    const refusal = isPrimeError(error) && (error.detail as { readonly refusal?: string }).refusal;
    const code = isPrimeError(error) ? error.code : null;
    if (code !== 'SNAPSHOT_TOO_EARLY' && refusal !== 'SNAPSHOT_TOO_EARLY') throw error;
    return { height: null, why: (error as Error).message };
  } finally {
    await rm(paths.backupSnapshot, { recursive: true, force: true });
  }
}

/** Each answer comes soon, so that nobody gives the connection up while a large state is written. */
async function askForSnapshot(paths: HomePaths): Promise<void> {
  const node = await adminClient(paths.home);
  for (;;) {
    const { height } = await node.command<{ readonly height: number | null }>('/backup/snapshot', {});
    if (height !== null) return;
  }
}
