import { resolve } from 'node:path';
import { formatListenAddress, homePaths, loadConfig } from '@prime/config';
import { readHomeFile } from '@prime/node';
import { type Command, Option } from 'commander';
import { CliError } from '../../errors.ts';
import { existingHome, refuseOtherKind } from '../../files.ts';
import { type ApiKeyFlags, localUrl, rpcNode, urlsIn, withApiKey } from '../../node/rpc.ts';
import { StatusPoll, type WatchedNode } from '../../status/poll.ts';
import { statusLines } from '../../status/render.ts';
import { watchAsLines, watchOnScreen } from '../../status/watch.ts';
import { defaultNetworkFolder, readNetworkFile } from '../../testnet/networkFile.ts';
import { canDraw, paint } from '../../terminal/liveOutput.ts';
import { type JsonFlags, print } from '../../terminal/output.ts';

interface StatusFlags extends ApiKeyFlags, JsonFlags {
  readonly rpc?: string;
  readonly home?: string;
  readonly watch?: boolean;
}

/** `prime status`: a network at a glance. */
export function addStatusCommand(program: Command): void {
  withApiKey(
    program
      .command('status')
      .description('A network at a glance: blocks, rounds, votes, nodes, validators, markets; live with --watch')
      .addOption(
        new Option(
          '--rpc <urls>',
          'nodes to ask, between commas (default: the network of prime testnet up in this folder, else http://127.0.0.1:8545)',
        ).env('PRIME_RPC_URL'),
      )
      .option('--home <dir>', 'home folder of a node on this machine, which is asked for its memory and disk as well'),
  )
    .option('--watch', 'go on until q or Ctrl-C; a line for each change where the output is no terminal')
    .option('--json', 'for programs: JSON; with --watch an object a line')
    .action(show);
}

async function show(flags: StatusFlags): Promise<void> {
  const nodes = await nodesOf(flags);
  const { watch = false, json = false } = flags;
  if (!watch) return showOnce(nodes, flags);
  return canDraw() && !json ? watchOnScreen(nodes, paint()) : watchAsLines(nodes, json);
}

/** Of output that is no terminal. */
const plainWidth = 120;

async function showOnce(nodes: readonly WatchedNode[], flags: JsonFlags): Promise<void> {
  const poll = new StatusPoll(nodes, () => undefined);
  await poll.look();
  const view = poll.view();
  poll.end();
  if (view.nodes.every(({ away }) => away !== null)) {
    const url = nodes[0]!.rpc.url;
    throw new CliError(`no answer from ${nodes.map(({ rpc }) => rpc.url).join(', ')}: is the network running?`, {
      code: 'CLI_UNREACHABLE',
      url,
    });
  }
  const layout = { width: process.stdout.columns ?? plainWidth, height: null, paint: paint() };
  print(flags, view, () => statusLines(view, layout));
}

async function nodesOf({ rpc, home, ...flags }: StatusFlags): Promise<readonly WatchedNode[]> {
  if (home !== undefined) return [await nodeOf(home, flags)];
  const network = rpc === undefined ? readNetworkFile(defaultNetworkFolder) : null;
  const places =
    network === null
      ? urlsIn(rpc ?? localUrl).map((url) => ({ name: url, url, admin: null }))
      : network.validators.map(({ name, rpc: url, admin }) => ({ name, url, admin }));
  return Promise.all(places.map(async ({ name, url, admin }) => ({ name, rpc: await rpcNode(url, flags), admin })));
}

async function nodeOf(home: string, flags: ApiKeyFlags): Promise<WatchedNode> {
  await existingHome(home);
  refuseOtherKind(home, 'node');
  const paths = homePaths(resolve(home));
  const file = { name: paths.config, text: await readHomeFile(paths.config) };
  const { rpc, admin } = loadConfig({ file, environment: process.env }).config;
  const url = `http://${formatListenAddress(rpc.listen)}`;
  return {
    name: url,
    rpc: await rpcNode(url, flags),
    admin: admin.listen === null ? null : `http://${formatListenAddress(admin.listen)}`,
  };
}
