import { createStreams, failover, type Market, type PrimeActions, primeActions, type Streams } from '@prime/sdk';
import { type Command, Option } from 'commander';
import { createPublicClient, type PublicClient, type Transport } from 'viem';
import {
  type ApiKeyFlags,
  headersOf,
  localUrl,
  nodeTransport,
  patiently,
  rpcNode,
  urlsIn,
  withApiKey,
} from '../node/rpc.ts';
import { defaultNetworkFolder, readNetworkFile } from '../testnet/networkFile.ts';
import { asCommand } from './errors.ts';
import type { JsonFlags } from '../terminal/output.ts';
import { openSocket } from './socket.ts';

/** What every command that asks a node can be told. */
export interface NodeFlags extends ApiKeyFlags, JsonFlags {
  readonly rpc?: string;
}

/** Adds the options of {@link NodeFlags}. */
export const withNode = (command: Command): Command =>
  withApiKey(
    command.addOption(
      new Option(
        '--rpc <url>',
        'node to ask, or several between commas (default: the network of prime testnet up in this folder, else http://127.0.0.1:8545)',
      ).env('PRIME_RPC_URL'),
    ),
  ).option('--json', 'for programs: JSON, amounts as decimal text');

/** A node, or several of one network, that answers. */
export interface Connection {
  /** Never empty. */
  readonly urls: readonly [string, ...string[]];
  readonly transport: Transport;
  readonly client: PublicClient & PrimeActions;
  /** Opened at each call; nothing is connected before somebody watches. */
  streams(): Streams;
}

function urlsOf(rpc: string | undefined): readonly [string, ...string[]] {
  if (rpc !== undefined) return urlsIn(rpc);
  const [first = localUrl, ...others] = readNetworkFile(defaultNetworkFolder)?.rpcUrls ?? [];
  return [first, ...others];
}

/** The node that the options name. Nothing is sent yet. @throws CliError `CLI_USAGE` */
export async function connect(flags: NodeFlags): Promise<Connection> {
  const urls = urlsOf(flags.rpc);
  const { apiKey } = await rpcNode(urls[0], flags);
  const transport: Transport = failover(
    urls.map((url) => nodeTransport({ url, apiKey })),
    patiently,
  );
  return {
    urls,
    transport,
    client: createPublicClient({ transport }).extend(primeActions()),
    // A browser's WebSocket can carry no header, so the one of the SDK carries none.
    streams: () =>
      createStreams(
        apiKey === null ? { urls } : { urls, environment: { openSocket: (url) => openSocket(url, headersOf(apiKey)) } },
      ),
  };
}

/** Asks the node that the options name; what it refuses becomes an error of the command line. @throws CliError */
export async function onNode<Result>(
  flags: NodeFlags,
  ask: (connection: Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await connect(flags);
  return asCommand(connection.urls[0], () => ask(connection));
}

/** People write ETH-USD, because a slash means folders to them; the chain has ETH/USD. */
const symbolOf = (text: string): string => text.replace('-', '/');

/** A market by its symbol, such as ETH-USD, eth/usd, or its id. @throws MarketNotFoundError with those that there are */
export const marketOf = ({ client }: Connection, text: string): Promise<Market> =>
  client.getMarket({ market: /^\d{1,9}$/.test(text) ? Number(text) : symbolOf(text) });

/** All markets by id. */
export async function marketsById({ client }: Connection): Promise<ReadonlyMap<number, Market>> {
  return new Map((await client.getMarkets()).map((market) => [market.marketId, market]));
}
