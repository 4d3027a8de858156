import { type Genesis, genesisHash } from '@prime/codec';
import { type HomePaths, parseGenesis } from '@prime/config';
import { readHomeFile } from '@prime/node';
import type { SignStateStore } from '@prime/engine';
import { lockDataDir, openSignState } from '@prime/storage';
import { existingHome } from '../files.ts';

/** The places of a home, and the network that it is of. @throws CliError `CLI_NOT_FOUND`; ConfigError for a genesis that is none */
export async function openHome(folder: string): Promise<{ readonly paths: HomePaths; readonly genesis: Genesis }> {
  const paths = await existingHome(folder);
  return { paths, genesis: parseGenesis(await readHomeFile(paths.genesis)) };
}

/** Works on a home that no process uses, and keeps others off it meanwhile. @throws StorageError `DATA_DIR_LOCKED` */
export async function whileLocked<Result>(
  { lock, systemLock }: HomePaths,
  work: () => Result | Promise<Result>,
): Promise<Result> {
  const held = await lockDataDir(lock, systemLock);
  try {
    return await work();
  } finally {
    held.release();
  }
}

/** Works on a sign state, and closes it. @throws StorageError `SIGN_STATE_…` */
export function withSignState<Result>(path: string, genesis: Genesis, work: (store: SignStateStore) => Result): Result {
  const store = openSignState(path, genesisHash(genesis));
  try {
    return work(store);
  } finally {
    store.close();
  }
}
