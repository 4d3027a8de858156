import { existsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { type Genesis, genesisHash } from '@prime/codec';
import {
  formatListenAddress,
  type HomePaths,
  type ListenAddress,
  loadConfig,
  type NodeConfig,
  parseGenesis,
} from '@prime/config';
import { checkKeyFiles, freeBytes, nodeProtocol, readHomeFile } from '@prime/node';
import { openSignState } from '@prime/storage';
import { attempt, type Check, fail, ok, warn } from './check.ts';

/** A home as far as it can be read; null is told by the checks. */
export interface HomeReading {
  readonly checks: readonly Check[];
  readonly config: NodeConfig | null;
  readonly genesis: Genesis | null;
}

/** Settings, genesis, keys and who may touch them. Nothing is written. */
export async function readHome(paths: HomePaths): Promise<HomeReading> {
  let config: NodeConfig | null = null;
  let genesis: Genesis | null = null;
  const settings = await attempt('config', 'correct it; prime config check shows every value', async () => {
    const file = { name: paths.config, text: await readHomeFile(paths.config) };
    const loaded = loadConfig({ file, environment: process.env }).config;
    config = loaded;
    return `role ${loaded.node.role}`;
  });
  const network = await attempt('genesis', 'copy genesis.json from another node of the network', async () => {
    const read = parseGenesis(await readHomeFile(paths.genesis));
    if (config !== null) nodeProtocol({ config, genesis: read });
    genesis = read;
    return `${read.networkName}, chain id ${read.chainId}, ${genesisHash(read)}`;
  });
  const keys = await attempt('keys', 'key files belong to the user of the node, with mode 0600', () => {
    if (config !== null) checkKeyFiles(paths, config);
    return config === null ? 'not looked at without settings' : 'there, and nobody else may read them';
  });
  return { checks: [settings, network, keys, permissionsCheck(paths)], config, genesis };
}

/** Others who may write to a home may put other keys and another sign state there. */
function permissionsCheck({ home }: HomePaths): Check {
  const { mode, uid } = statSync(home);
  const shown = `0${(mode & 0o777).toString(8)}`;
  if (process.platform === 'win32') return ok('permissions', 'not looked at on this system');
  if ((mode & 0o022) !== 0)
    return fail('permissions', `others may write to ${home} (mode ${shown})`, `chmod go-w ${home}`);
  const self = process.getuid?.() ?? uid;
  if (self !== 0 && uid !== self)
    return warn(
      'permissions',
      `${home} belongs to user ${uid}, and this is user ${self}`,
      'run this as the user of the node',
    );
  return ok('permissions', `mode ${shown}`);
}

/** Same bounds as the alerts PrimeDiskSpace and PrimeDiskFull. */
const [diskLowBytes, diskFullBytes] = [5e9, 1e9];

export function diskCheck(free: number | null): Check {
  if (free === null) return warn('disk', 'the system does not tell how much is free', 'look yourself: df -h');
  const found = `${(free / 1e9).toFixed(1)} GB free`;
  const advice = 'make room, or keep less: [history] of config.toml';
  if (free < diskFullBytes) return fail('disk', found, advice);
  return free < diskLowBytes ? warn('disk', found, advice) : ok('disk', found);
}

export const diskOf = ({ home }: HomePaths): Check => diskCheck(freeBytes(home));

/** What a stopped node left behind. */
export async function stoppedChecks(paths: HomePaths, genesis: Genesis | null): Promise<Check[]> {
  const checks: Check[] = [];
  if (genesis !== null)
    checks.push(
      await attempt('sign state', 'see "Never sign twice" in docs/operator.md; never remove it', () => {
        if (!existsSync(paths.signState)) return 'nothing was signed';
        const store = openSignState(paths.signState, genesisHash(genesis));
        try {
          const newest = store.read();
          return newest === null ? 'nothing was signed' : `signed up to height ${newest.height}, round ${newest.round}`;
        } finally {
          store.close();
        }
      }),
    );
  if (existsSync(paths.failedBlock))
    checks.push(
      fail(
        'failed block',
        `this program could not execute a decided block: ${paths.failedBlock}`,
        'keep the file, report it, install a program that can',
      ),
    );
  return checks;
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
      resolve(fail(name, `${address}: ${reason}`, `end that process, or set ${key} to another one`));
    });
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(ok(name, `${address} is free`))));
  });
}
