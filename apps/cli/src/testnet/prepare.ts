import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../terminal/output.ts';
import { type HomePaths, homePaths, type TestnetPlace, validatorName } from '@prime/config';
import { type DataDirLock, lockDataDir } from '@prime/storage';
import { isPrimeError } from '@prime/primitives';
import { CliError, usageError, notEmpty } from '../errors.ts';
import { LinkMesh, plainLink } from '@prime/chaos/plain';
import { countValidators, placeNetwork, readPlaces } from './files.ts';
import { type GivenManifest, isSameNetwork, keepManifest, keptManifest } from './manifest/given.ts';
import { plainManifest } from './manifest/manifest.ts';
import { type NetworkPlan, placeHere, planNetwork, sizeOfPlan } from './manifest/plan.ts';
import { type NetworkFile, nodesOfFile, readNetworkFile, shownPath, writeNetworkFile } from './networkFile.ts';
import { writePlannedNetwork } from './plannedHomes.ts';
import { explorerHost, freePlaces, freePort, freeSigners } from './ports.ts';
import { folderOption, upCommand } from './wayToType.ts';

/** Of a network that is given no number. */
const defaultValidators = 4;

/** What network is asked for in a folder; what is there is taken where it fits. */
export interface PrepareOptions {
  readonly directory: string;
  /** Number of validators that is asked for; null takes what is there, or makes four. */
  readonly validators: number | null;
  /** A manifest that is asked for; null takes what is there, or a plain network. */
  readonly manifest?: GivenManifest | null;
  readonly fresh: boolean;
  /** Where the explorer would listen if nothing were in the way; null where there is none. */
  readonly explorerPort: number | null;
  readonly say: (line: string) => void;
}

/** A network that is ready to be started. */
export interface PreparedNetwork {
  readonly network: NetworkFile;
  readonly plan: NetworkPlan;
  /** The ways between nodes; without proxies where the plan has none. */
  readonly mesh: LinkMesh;
  /** Held while the network runs. */
  readonly lock: DataDirLock;
}

/**
 * Makes or finds the network of a folder, on ports that are free, and writes its `network.json`.
 *
 * @throws CliError `CLI_NETWORK_RUNNING`, `CLI_USAGE` for a number of validators or a manifest that the network does not have, `CLI_NOT_EMPTY` for a folder of something else
 */
export async function prepareNetwork(options: PrepareOptions): Promise<PreparedNetwork> {
  const { directory, validators, fresh } = options;
  refuseForeign(directory);
  const present = countValidators(directory);
  const isKept = present > 0 && !fresh;
  const kept = present > 0 ? await keptManifest(directory) : null;
  const given = options.manifest ?? null;
  if (isKept && validators !== null && validators !== present) throw otherSize(directory, present, validators);
  if (isKept && given !== null && !isSameNetwork(given, kept)) throw otherManifest(directory, given);
  const wanted = given ?? (validators === null || isKept ? kept : null);
  const manifest = wanted?.manifest ?? plainManifest(isKept ? present : (validators ?? defaultValidators));
  mkdirSync(directory, { recursive: true });
  const lock = await lockNetwork(directory);
  try {
    for (let index = 0; index < present; index++)
      await refuseIfRunning(directory, join(directory, validatorName(index)));
    if (fresh) await wipe(directory);
    const plan = planNetwork(manifest);
    // Before the homes: a folder with homes alone would be a plain network.
    if (wanted !== null) keepManifest(directory, wanted);
    const prepared = await placeAll(options, plan, { isKept, isNamed: wanted !== null });
    return { ...prepared, plan, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

/** Homes and ports: new ones, or those that are there. */
async function placeAll(
  options: PrepareOptions,
  plan: NetworkPlan,
  { isKept, isNamed }: { readonly isKept: boolean; readonly isNamed: boolean },
): Promise<Pick<PreparedNetwork, 'network' | 'mesh'>> {
  const { directory, say } = options;
  const names = plan.nodes.map(({ name }) => name);
  const present = isKept ? await readPlaces(directory, names) : plan.nodes.map(placeHere);
  const wanted = isKept ? wantedOf(directory, names, present) : present;
  const places = await freePlaces(wanted, say, names);
  const count = counted(sizeOfPlan(plan).validators, 'validator');
  if (!isKept) await writePlannedNetwork(directory, plan, places);
  const taken = [...places, ...wanted];
  const signers = await freeSigners(plan.signers, taken);
  const { explorerPort } = options;
  const explorerUrl = explorerPort === null ? null : hereAt(await freePort('the explorer', explorerPort, taken, say));
  const { prometheus } = plan.besides;
  const prometheusUrl = prometheus === null ? null : hereAt(await freePort('Prometheus', prometheus.port, taken, say));
  const mesh = await openLinks(plan, places);
  const isMoved = isKept && JSON.stringify(places) !== JSON.stringify(present);
  if (isNamed || isMoved)
    await placeNetwork(directory, {
      nodes: plan.nodes.map(({ name }, index) => ({ name, place: places[index]! })),
      signers: signers.map(({ name, validator, listen, admin }) => ({ name, validator, listen, dial: listen, admin })),
      ...(plan.hasLinks ? { way: (link) => mesh.port(link) } : {}),
    });
  say(`starting ${isKept ? 'the' : 'a new'} network of ${count} in ${shownPath(directory)}`);
  const network = await writeNetworkFile(directory, {
    nodes: plan.nodes.map((node, index) => {
      const home = join(directory, node.name);
      const place = places[index]!;
      return { node, home, log: logPath(home), host: place.dialHost, ports: place, wantedPorts: wanted[index]! };
    }),
    signers: signers.map(({ name, validator, admin }) => {
      const home = join(directory, name);
      return { name, home, log: logPath(home), validator, admin: `http://${admin}` };
    }),
    explorerUrl,
    prometheusUrl,
    grafanaUrl: null,
  });
  return { network, mesh };
}

const hereAt = (port: number): string => `http://${explorerHost}:${port}`;

/** The log that `prime testnet up` keeps for a process with a home. */
const logPath = (home: string): string => join(home, 'node.log');

function openLinks(plan: NetworkPlan, places: readonly TestnetPlace[]): Promise<LinkMesh> {
  return LinkMesh.open({
    p2pPorts: plan.hasLinks ? places.map(({ p2pPort }) => p2pPort) : [],
    firstPort: null,
    seed: linkSeed,
    usual: (link) => ({ ...plainLink, ...plan.linkRule(link) }),
  });
}

/** Of jitter: two runs of one manifest are alike. */
const linkSeed = 1;

/** Ports that were evaded last time are wanted again; those that somebody wrote into a configuration meanwhile are the new wish. */
function wantedOf(directory: string, names: readonly string[], present: readonly TestnetPlace[]): TestnetPlace[] {
  const file = readNetworkFile(directory);
  const before = file === null ? [] : nodesOfFile(file);
  return present.map((place, index) => {
    const last = before.find(({ name }) => name === names[index]);
    const isAsLeft =
      last !== undefined &&
      (['rpcPort', 'p2pPort', 'adminPort'] as const).every((name) => last.ports[name] === place[name]);
    return isAsLeft ? { ...place, ...last.wantedPorts } : place;
  });
}

/** What this program writes into the folder of a network; nothing else is wiped. */
const ownNames = /^((validator|sentry|follower|signer)\d+|owners|manifest\.toml|feeder\.toml|network\.json|up\.lock)$/;

async function wipe(directory: string): Promise<void> {
  for (const name of readdirSync(directory))
    if (ownNames.test(name) && name !== lockName) await rm(join(directory, name), { recursive: true, force: true });
}

/** A folder with something in it, and no network, is somebody's else: a mistyped `--dir`. */
function refuseForeign(directory: string): void {
  if (!existsSync(directory)) return;
  const names = readdirSync(directory);
  if (names.length === 0 || names.some((name) => ownNames.test(name))) return;
  throw notEmpty(
    `${shownPath(directory)} holds something else, and no network: name a new folder with --dir`,
    directory,
  );
}

function otherSize(directory: string, present: number, validators: number): CliError {
  const folder = folderOption(directory);
  const count = ['--validators', `${validators}`];
  return usageError(
    `${shownPath(directory)} holds a network of ${counted(present, 'validator')}, and --validators ${validators} is for a new one. ` +
      `Go on with it: ${upCommand(...folder)}. Wipe it: ${upCommand(...folder, ...count, '--fresh')}. ` +
      `Another one beside it: ${upCommand(...count, '--dir', `${shownPath(directory)}-${validators}`)}`,
    '--validators',
  );
}

function otherManifest(directory: string, { path }: GivenManifest): CliError {
  const folder = folderOption(directory);
  const option = ['--manifest', shownPath(path)];
  return usageError(
    `${shownPath(directory)} holds another network than that of ${shownPath(path)}; only makers, latency, faults, load and monitoring can change. ` +
      `Go on with it: ${upCommand(...folder)}. Wipe it: ${upCommand(...folder, ...option, '--fresh')}. ` +
      `Another one beside it: ${upCommand(...option, '--dir', `${shownPath(directory)}-2`)}`,
    '--manifest',
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
