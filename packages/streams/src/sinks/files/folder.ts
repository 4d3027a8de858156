import { type FileHandle, open, readdir, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { damaged, otherChain } from '../../errors.ts';
import type { ChainIdentity } from '../../ports.ts';
import type { Manifest } from './manifest.ts';

/** What says whose files they are. */
export const chainFile = 'chain.json';

/** An hour of block time, as files are called: `2026-02-28T13`, UTC. */
export const hourOf = (timeMs: number): string => new Date(timeMs).toISOString().slice(0, 13);

/** File of an hour that gets no more lines; the hour as {@link hourOf} has it. */
export const finishedName = (hour: string): string => `${hour}.ndjson`;
/** The hour that still grows. */
export const growingName = (hour: string): string => `${hour}.ndjson.part`;
/** File with counts and hash of a finished hour, written after it. */
export const manifestName = (hour: string): string => `${hour}.manifest.json`;

const dataPattern = /^(\d{4}-\d{2}-\d{2}T\d{2})\.(ndjson|ndjson\.part|manifest\.json)$/;

/** Hours that a folder has, oldest first. */
export interface FolderHours {
  readonly finished: readonly string[];
  readonly growing: readonly string[];
  readonly manifests: ReadonlySet<string>;
}

/** Hours by what a folder's file names say; files with other names are passed over. */
export async function hoursOf(directory: string): Promise<FolderHours> {
  const found = (await readdir(directory)).toSorted().flatMap((name) => {
    const match = dataPattern.exec(name);
    return match === null ? [] : [{ hour: match[1]!, kind: match[2]! }];
  });
  const hours = (kind: string): string[] => found.filter((each) => each.kind === kind).map(({ hour }) => hour);
  return {
    finished: hours('ndjson'),
    growing: hours('ndjson.part'),
    manifests: new Set(hours('manifest.json')),
  };
}

/** Closes a file, and makes what was written to it outlast a loss of power. */
export async function syncAndClose(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes names in a folder outlast a loss of power. */
export const syncFolder = async (directory: string): Promise<void> => syncAndClose(await open(directory, 'r'));

/** Writes a file whole or not at all. */
export async function writeWhole(directory: string, name: string, text: string): Promise<void> {
  const temporary = join(directory, `${name}.tmp`);
  const handle = await open(temporary, 'w');
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(temporary, join(directory, name));
  await syncFolder(directory);
}

/** What {@link chainFile} says. */
export interface FolderChain extends ChainIdentity {
  /** First block that was written; null before there was one. */
  readonly firstHeight: number | null;
}

async function readJson(path: string): Promise<Record<string, unknown> | null> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw damaged(path, 'it is no JSON object');
}

/** Whose files a folder has; null where it says nothing. @throws StreamsError `STREAMS_STORE_DAMAGED` */
export async function chainOfFolder(directory: string): Promise<FolderChain | null> {
  const path = join(directory, chainFile);
  const said = await readJson(path);
  if (said === null) return null;
  const { chain_id: chainId, genesis_hash: genesisHash, first_height: firstHeight = null } = said;
  if (typeof chainId !== 'number' || typeof genesisHash !== 'string')
    throw damaged(path, 'it does not say a chain id and a genesis hash');
  return { chainId, genesisHash, firstHeight: typeof firstHeight === 'number' ? firstHeight : null };
}

/**
 * Says whose files a folder holds; a file that is there is replaced.
 *
 * @param firstHeight first block of the export; null before there is one
 */
export async function writeChainFile(
  directory: string,
  { chainId, genesisHash }: ChainIdentity,
  firstHeight: number | null,
): Promise<void> {
  const said = { chain_id: chainId, genesis_hash: genesisHash, first_height: firstHeight };
  await writeWhole(directory, chainFile, `${JSON.stringify(said, null, 2)}\n`);
}

/**
 * Makes a folder that of a chain, or sees that it is.
 *
 * @returns the first block in it; null where there is none
 * @throws StreamsError `STREAMS_OTHER_CHAIN`, `STREAMS_STORE_DAMAGED`
 */
export async function claimFolder(directory: string, chain: ChainIdentity): Promise<number | null> {
  const known = await chainOfFolder(directory);
  if (known === null) await writeChainFile(directory, chain, null);
  else if (known.genesisHash !== chain.genesisHash) throw otherChain(directory, known.genesisHash, chain.genesisHash);
  return known?.firstHeight ?? null;
}

/** @throws StreamsError `STREAMS_STORE_DAMAGED` */
export async function readManifest(directory: string, hour: string): Promise<Manifest> {
  const path = join(directory, manifestName(hour));
  const manifest = await readJson(path);
  if (manifest === null || manifest['format'] !== 1 || !Array.isArray(manifest['blocks']))
    throw damaged(path, 'it is no manifest');
  return manifest as unknown as Manifest;
}
