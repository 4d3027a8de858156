import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Genesis, genesisHash, type ProtocolSchedule } from '@prime/codec';
import {
  formatListenAddress,
  type HomePaths,
  type ListenAddress,
  loadConfig,
  type NodeConfig,
  parseGenesis,
} from '@prime/config';
import { freeBytes, nodeProtocol, readHomeFile } from '@prime/node';
import { attempt, type Check, fail, ok, warn } from './check.ts';
import { diskCheck, growthCheck, growthOf, syncCheck, syncP99 } from './disk.ts';
import { keyFileCheck, keyUseCheck, protectionChecks, signStateCheck } from './keys.ts';
import { lintChecks } from './lint.ts';
import { dnsCheck, probePeers, reachCheck, versionCheck, versionsOf } from './peers.ts';

/** A home as far as it can be read; null is told by the checks. */
export interface HomeReading {
  readonly checks: readonly Check[];
  readonly config: NodeConfig | null;
  readonly genesis: Genesis | null;
  /** Which rules hold when; null without settings or genesis. */
  readonly protocol: ProtocolSchedule | null;
}

/** Settings, genesis, keys and who may touch them. Nothing is written. */
export async function readHome(paths: HomePaths): Promise<HomeReading> {
  let config: NodeConfig | null = null;
  let genesis: Genesis | null = null;
  let protocol: ProtocolSchedule | null = null;
  const why = 'a node does not start without it';
  const settings = await attempt(
    'config',
    { why, advice: 'correct it; prime config check shows every value' },
    async () => {
      const file = { name: paths.config, text: await readHomeFile(paths.config) };
      const loaded = loadConfig({ file, environment: process.env }).config;
      config = loaded;
      return `role ${loaded.node.role}`;
    },
  );
  const network = await attempt(
    'genesis',
    { why, advice: 'copy genesis.json from another node of the network' },
    async () => {
      const read = parseGenesis(await readHomeFile(paths.genesis));
      if (config !== null) protocol = nodeProtocol({ config, genesis: read });
      genesis = read;
      return `${read.networkName}, chain id ${read.chainId}, ${genesisHash(read)}`;
    },
  );
  const keys = await keyFileCheck(paths, config);
  const isTest = (genesis as Genesis | null)?.testNetwork ?? true;
  const protection = keys.verdict !== 'ok' || isTest ? [] : protectionChecks(paths);
  return { checks: [settings, network, keys, ...protection, permissionsCheck(paths)], config, genesis, protocol };
}

/** What is looked at whether the node runs or not. */
export async function settingsChecks(paths: HomePaths, config: NodeConfig, genesis: Genesis): Promise<Check[]> {
  const environment = process.env;
  return [
    await keyUseCheck(paths, config, genesis),
    ...lintChecks({ config, genesis, paths, environment }),
    await dnsCheck(config.p2p.peers),
  ];
}

/** Others who may write to a home, or to its keys, may put other keys and another sign state there. */
function permissionsCheck({ home, keys }: HomePaths): Check {
  if (process.platform === 'win32') return ok('permissions', 'not looked at on this system');
  const why = 'whoever may write there puts another key or sign state in place';
  const { mode, uid } = statSync(home);
  for (const folder of [home, keys].filter((path) => existsSync(path))) {
    const { mode: own } = statSync(folder);
    if ((own & 0o022) !== 0)
      return fail('permissions', `others may write to ${folder} (mode ${shown(own)})`, {
        why,
        advice: `chmod go-w ${folder}`,
      });
  }
  const self = process.getuid?.() ?? uid;
  if (self !== 0 && uid !== self)
    return warn('permissions', `${home} belongs to user ${uid}, and this is user ${self}`, {
      why: 'files that one of them makes, the other may not be able to read',
      advice: 'run this as the user of the node',
    });
  return ok('permissions', `mode ${shown(mode)}`);
}

const shown = (mode: number): string => `0${(mode & 0o777).toString(8)}`;

/** Room, speed and growth of the disk of a home. */
export async function diskChecks(paths: HomePaths, config: NodeConfig | null): Promise<Check[]> {
  const free = diskCheck(freeBytes(paths.home));
  if (config === null) return [free];
  const sync = await syncP99(paths.home).then(
    (p99) => syncCheck(p99, config.consensus.prevoteMs),
    (error: Error) =>
      fail('disk sync', error.message, {
        why: 'a node that can not write its log signs nothing, and ends',
        advice: 'look after the disk, and who may write to the home',
      }),
  );
  return [free, sync, growthCheck(await growthOf(paths, Date.now()), config.history)];
}

/** What a stopped node left behind. */
export async function stoppedChecks(paths: HomePaths, genesis: Genesis | null): Promise<Check[]> {
  const checks = genesis === null ? [] : [await signStateCheck(paths, genesis)];
  if (existsSync(paths.failedBlock))
    checks.push(
      fail('failed block', `this program could not execute a decided block: ${paths.failedBlock}`, {
        why: 'the node stops at that block as often as it is started',
        advice: 'keep the file, report it, install a program that can',
      }),
    );
  return checks;
}

/** Whether the peers of a stopped node are there, and go by its rules. */
export async function peerChecks(
  { p2p: { peers } }: NodeConfig,
  genesis: Genesis,
  protocol: ProtocolSchedule,
): Promise<Check[]> {
  if (peers.length === 0) return [];
  const probes = await probePeers(genesis, protocol, peers);
  return [reachCheck(probes), versionCheck(versionsOf(probes), protocol)];
}

/** Whether what the node listens on is free. */
export async function portChecks(config: NodeConfig): Promise<Check[]> {
  const places: [string, ListenAddress | null, string][] = [
    ['rpc', config.rpc.listen, 'rpc.listen'],
    ['operator rpc', config.rpc.operatorListen, 'rpc.operator_listen'],
    ['p2p', config.p2p.listen, 'p2p.listen'],
    ['admin', config.admin.listen, 'admin.listen'],
  ];
  const used = places.filter((place): place is [string, ListenAddress, string] => place[1] !== null);
  return Promise.all(used.map(([what, place, key]) => portCheck(what, place, key)));
}

/** Words for what the system says of an address. */
const listenReasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another process has it',
  EACCES: 'this user may not listen there',
  EADDRNOTAVAIL: 'this machine has no such address',
};

function portCheck(what: string, { host, port }: ListenAddress, key: string): Promise<Check> {
  const name = `${what} port`;
  const address = formatListenAddress({ host, port });
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = listenReasons[error.code ?? ''] ?? error.message;
      const why = 'a node that can not listen does not start';
      resolve(fail(name, `${address}: ${reason}`, { why, advice: `end that process, or set ${key} to another one` }));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(ok(name, `${address} is free`))));
  });
}
