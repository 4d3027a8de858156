import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type HomePaths, homePaths, type TestnetPlace, validatorName } from '@prime/config';
import { type DataDirLock, lockDataDir } from '@prime/storage';
import { isPrimeError } from '@prime/primitives';
import { CliError } from '../errors.ts';
import { countValidators, movePorts, readPlaces, writeTestnet } from './files.ts';
import { type NetworkFile, readNetworkFile, shownPath, writeNetworkFile } from './networkFile.ts';
import { explorerHost, freeExplorerPort, freePlaces, wantedPlaces } from './ports.ts';
import { folderOption, upCommand } from './wayToType.ts';

/** Of a network that is given no number. */
const defaultValidators = 4;

export interface PrepareOptions {
  readonly directory: string;
  /** Number of validators that is asked for; null takes what is there, or makes four. */
  readonly validators: number | null;
  readonly fresh: boolean;
  /** Where the explorer would listen if nothing were in the way; null where there is none. */
  readonly explorerPort: number | null;
  readonly say: (line: string) => void;
}

export interface PreparedNetwork {
  readonly network: NetworkFile;
  /** Held while the network runs. */
  readonly lock: DataDirLock;
}

/** "1 validator", "4 validators". */
export const validatorsInWords = (count: number): string => `${count} validator${count === 1 ? '' : 's'}`;

/**
 * Makes or finds the network of a folder, on ports that are free, and writes its `network.json`.
 *
 * @throws CliError `CLI_NETWORK_RUNNING`, `CLI_USAGE` for a number of validators that the network does not have, `CLI_NOT_EMPTY` for a folder of something else
 */
export async function prepareNetwork(options: PrepareOptions): Promise<PreparedNetwork> {
  const { directory, validators, fresh } = options;
  refuseForeign(directory);
  const present = countValidators(directory);
  if (present > 0 && !fresh && validators !== null && validators !== present)
    throw otherSize(directory, present, validators);
  mkdirSync(directory, { recursive: true });
  const lock = await lockNetwork(directory);
  try {
    for (let index = 0; index < present; index++)
      await refuseIfRunning(directory, join(directory, validatorName(index)));
    if (fresh) await wipe(directory);
    const network = await (countValidators(directory) === 0
      ? makeNetwork(options, validators ?? defaultValidators)
      : findNetwork(options));
    return { network, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function makeNetwork(options: PrepareOptions, validators: number): Promise<NetworkFile> {
  const { directory, say } = options;
  const wanted = wantedPlaces(validators, null);
  const places = await freePlaces(wanted, say);
  await writeTestnet({ directory, preset: 'local', places, seed: null });
  const explorerUrl = await explorerAt(options, [...places, ...wanted]);
  say(`starting a new network of ${validatorsInWords(validators)} in ${shownPath(directory)}`);
  return writeNetworkFile(directory, { places, wanted, explorerUrl });
}

async function findNetwork(options: PrepareOptions): Promise<NetworkFile> {
  const { directory, say } = options;
  const present = await readPlaces(directory);
  const wanted = wantedOf(directory, present);
  const places = await freePlaces(wanted, say);
  if (JSON.stringify(places) !== JSON.stringify(present)) await movePorts(directory, places);
  const explorerUrl = await explorerAt(options, [...places, ...wanted]);
  say(`starting the network of ${validatorsInWords(places.length)} in ${shownPath(directory)}`);
  return writeNetworkFile(directory, { places, wanted, explorerUrl });
}

async function explorerAt(
  { explorerPort, say }: PrepareOptions,
  others: readonly TestnetPlace[],
): Promise<string | null> {
  if (explorerPort === null) return null;
  return `http://${explorerHost}:${await freeExplorerPort(explorerPort, others, say)}`;
}

/** Ports that were evaded last time are wanted again; those that somebody wrote into a configuration meanwhile are the new wish. */
function wantedOf(directory: string, present: readonly TestnetPlace[]): TestnetPlace[] {
  const before = readNetworkFile(directory)?.validators ?? [];
  return present.map((place, index) => {
    const last = before[index];
    const isAsLeft =
      last !== undefined &&
      (['rpcPort', 'p2pPort', 'adminPort'] as const).every((name) => last.ports[name] === place[name]);
    return isAsLeft ? { ...place, ...last.wantedPorts } : place;
  });
}

/** What this program writes into the folder of a network; nothing else is wiped. */
const ownNames = /^((validator|follower|signer)\d+|network\.json|up\.lock)$/;

async function wipe(directory: string): Promise<void> {
  for (const name of readdirSync(directory))
    if (ownNames.test(name) && name !== lockName) await rm(join(directory, name), { recursive: true, force: true });
}

/** A folder with something in it, and no network, is somebody's else: a mistyped `--dir`. */
function refuseForeign(directory: string): void {
  if (!existsSync(directory)) return;
  const names = readdirSync(directory);
  if (names.length === 0 || names.some((name) => ownNames.test(name))) return;
  throw new CliError(`${shownPath(directory)} holds something else, and no network: name a new folder with --dir`, {
    code: 'CLI_NOT_EMPTY',
    path: directory,
  });
}

function otherSize(directory: string, present: number, validators: number): CliError {
  const folder = folderOption(directory);
  const count = ['--validators', `${validators}`];
  return new CliError(
    `${shownPath(directory)} holds a network of ${validatorsInWords(present)}, and --validators ${validators} is for a new one. ` +
      `Go on with it: ${upCommand(...folder)}. Wipe it: ${upCommand(...folder, ...count, '--fresh')}. ` +
      `Another one beside it: ${upCommand(...count, '--dir', `${shownPath(directory)}-${validators}`)}`,
    { code: 'CLI_USAGE', argument: '--validators' },
  );
}

const lockName = 'up.lock';

/** One process looks after a network. @throws CliError `CLI_NETWORK_RUNNING` */
const lockNetwork = (directory: string): Promise<DataDirLock> =>
  lockOrRefuse(directory, { lock: join(directory, lockName), systemLock: join(directory, `${lockName}.db`) });

/** A validator that runs already keeps its home and its ports. @throws CliError `CLI_NETWORK_RUNNING` */
const refuseIfRunning = async (directory: string, home: string): Promise<void> =>
  (await lockOrRefuse(directory, homePaths(home))).release();

async function lockOrRefuse(
  directory: string,
  { lock, systemLock }: Pick<HomePaths, 'lock' | 'systemLock'>,
): Promise<DataDirLock> {
  try {
    return await lockDataDir(lock, systemLock);
  } catch (cause) {
    if (!isPrimeError(cause) || cause.code !== 'DATA_DIR_LOCKED') throw cause;
    const { pid } = cause.detail as unknown as { readonly pid: number };
    throw new CliError(
      `the network in ${shownPath(directory)} is running (process ${pid}). Stop it with Ctrl-C in its terminal, or start another one: ${upCommand('--dir', `${shownPath(directory)}-2`)}`,
      { code: 'CLI_NETWORK_RUNNING', path: directory, pid },
      { cause },
    );
  }
}
