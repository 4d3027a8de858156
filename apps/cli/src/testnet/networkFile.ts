import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { genesisHash } from '@prime/codec';
import { devMnemonic, devPrivateKeys, homePaths, parseGenesis, parseUnlockedAccounts } from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { readHomeFile } from '@prime/node';
import { bytesEqual, bytesToHex, type Hash } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { usageError } from '../errors.ts';
import type { Role } from './manifest/manifest.ts';
import type { NodePorts } from './manifest/places.ts';
import type { PlannedNode } from './manifest/plan.ts';

/** One node of a network, as programs beside it need it. */
export interface NetworkNode {
  readonly name: string;
  readonly home: string;
  /** JSON lines of its log; null where somebody else keeps it. */
  readonly log: string | null;
  readonly rpc: string;
  readonly ws: string;
  readonly admin: string;
  readonly ports: NodePorts;
  /** Those that it goes back to when they are free. */
  readonly wantedPorts: NodePorts;
}

interface NetworkSigner extends Pick<NetworkNode, 'name' | 'home' | 'log' | 'admin'> {
  /** Whose key it has. */
  readonly validator: string;
}

/**
 * `network.json` in the folder of a local network: where it listens and what is in it, for programs that talk to it. `prime testnet up`
 * writes it anew at each start. Whoever writes to the network compares the hash of block 0 with `genesisHash` first, because
 * ports change hands.
 */
export interface NetworkFile {
  readonly name: string;
  readonly chainId: number;
  readonly genesisHash: Hash;
  /** One per node that callers may ask: validators, but those behind sentries, and followers. */
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Where people look at it in a browser; null where nobody serves that. */
  readonly explorerUrl: string | null;
  /** Where its health is seen; null where nobody serves that. */
  readonly dashboards: { readonly prometheus: string | null; readonly grafana: string | null };
  readonly validators: readonly NetworkNode[];
  readonly sentries: readonly NetworkNode[];
  readonly followers: readonly NetworkNode[];
  readonly signers: readonly NetworkSigner[];
  /** Of the accounts; null where they are not those of development tools. */
  readonly mnemonic: string | null;
  /** Accounts that the nodes sign for: everybody knows their keys. */
  readonly accounts: readonly { readonly address: string; readonly privateKey: string }[];
  /** Least time between two blocks, and the time after which there is one without work, ms. */
  readonly blockIntervalMs: number;
  readonly emptyBlockIntervalMs: number;
  /** Those of genesis; tick and lot as decimal numbers. */
  readonly markets: readonly {
    readonly id: number;
    readonly symbol: string;
    readonly tickSize: string;
    readonly lotSize: string;
    readonly baseDecimals: number;
    readonly quoteDecimals: number;
    /** Its price comes from outside: orders that do not only reduce wait for a feeder. */
    readonly hasOracle: boolean;
  }[];
}

/** Where `prime testnet up` keeps a network that is given no other folder. */
export const defaultNetworkFolder = join('.prime', 'testnet');

/** File beside the homes that says where everything of a network is. */
export const networkFileName = 'network.json';

/** A node of a plan, and where it has come to be. */
interface NodeAt extends Pick<NetworkNode, 'home' | 'log' | 'ports' | 'wantedPorts'> {
  readonly node: PlannedNode;
  /** Name or address at which others reach it. */
  readonly host: string;
}

/** Where the parts of a network are; null for what does not run. */
export interface NetworkAt {
  readonly nodes: readonly NodeAt[];
  readonly signers: readonly NetworkSigner[];
  readonly explorerUrl: string | null;
  readonly prometheusUrl: string | null;
  readonly grafanaUrl: string | null;
}

const portsOf = ({ rpcPort, p2pPort, adminPort }: NodePorts): NodePorts => ({ rpcPort, p2pPort, adminPort });

const networkNode = ({ node, home, log, host, ports, wantedPorts }: NodeAt): NetworkNode => ({
  name: node.name,
  home,
  log,
  rpc: `http://${host}:${ports.rpcPort}`,
  ws: `ws://${host}:${ports.rpcPort}`,
  admin: `http://${host}:${ports.adminPort}`,
  ports: portsOf(ports),
  wantedPorts: portsOf(wantedPorts),
});

/** What programs beside a network need. @param home of one of its nodes */
export async function networkFileOf(
  home: string,
  { nodes, signers, explorerUrl, prometheusUrl, grafanaUrl }: NetworkAt,
): Promise<NetworkFile> {
  const genesis = parseGenesis(await readHomeFile(homePaths(home).genesis));
  const accounts = await accountsOf(home);
  const known = devPrivateKeys();
  const isDev = accounts.length > 0 && accounts.every((key, index) => bytesEqual(key.privateKey, known[index]!));
  const ofRole = (role: Role): NetworkNode[] => nodes.filter(({ node }) => node.role === role).map(networkNode);
  const open = nodes.filter(({ node }) => node.isPublic).map(networkNode);
  return {
    name: genesis.networkName,
    chainId: genesis.chainId,
    genesisHash: genesisHash(genesis),
    rpcUrls: open.map(({ rpc }) => rpc),
    wsUrls: open.map(({ ws }) => ws),
    explorerUrl,
    dashboards: { prometheus: prometheusUrl, grafana: grafanaUrl },
    validators: ofRole('validator'),
    sentries: ofRole('sentry'),
    followers: ofRole('follower'),
    signers,
    mnemonic: isDev ? devMnemonic : null,
    accounts: accounts.map(({ address, privateKey }) => ({ address, privateKey: bytesToHex(privateKey) })),
    blockIntervalMs: genesis.consensus.minBlockIntervalMs,
    emptyBlockIntervalMs: genesis.consensus.emptyBlockIntervalMs,
    markets: genesis.markets.map(({ symbol, tickSize, lotSize, baseDecimals, quoteDecimals, oracle }, index) => ({
      id: index + 1,
      symbol,
      tickSize: `${tickSize}`,
      lotSize: `${lotSize}`,
      baseDecimals,
      quoteDecimals,
      hasOracle: oracle === true,
    })),
  };
}

/** JSON for people and programs, with an end of line. */
export const formatNetworkFile = (file: NetworkFile): string => `${JSON.stringify(file, null, 2)}\n`;

/** Reads a network from its homes, and writes what programs beside it need. */
export async function writeNetworkFile(directory: string, network: NetworkAt): Promise<NetworkFile> {
  const file = await networkFileOf(network.nodes[0]!.home, network);
  writeFileDurably(join(directory, networkFileName), new TextEncoder().encode(formatNetworkFile(file)), 0o600);
  return file;
}

/** All nodes: validators, then sentries, then followers. */
export const nodesOfFile = ({ validators, sentries, followers }: NetworkFile): readonly NetworkNode[] => [
  ...validators,
  ...sentries,
  ...followers,
];

/** Those that callers may ask. */
export const publicNodes = (file: NetworkFile): readonly NetworkNode[] =>
  nodesOfFile(file).filter(({ rpc }) => file.rpcUrls.includes(rpc));

/** Accounts that a node signs for; none where it holds no keys. */
async function accountsOf(home: string): Promise<ReturnType<typeof parseUnlockedAccounts>> {
  const { unlockedAccounts } = homePaths(home);
  if (!existsSync(unlockedAccounts)) return [];
  return parseUnlockedAccounts(await cryptoProvider(), await readHomeFile(unlockedAccounts), unlockedAccounts);
}

/** What `prime testnet up` wrote into a folder; null where it never ran. @throws CliError `CLI_USAGE` for a file that is none */
export function readNetworkFile(directory: string): NetworkFile | null {
  const path = join(directory, networkFileName);
  if (!existsSync(path)) return null;
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as NetworkFile;
    const lists = [file.rpcUrls, file.validators, file.sentries, file.followers, file.signers];
    if (lists.every(Array.isArray) && typeof file.genesisHash === 'string') return file;
  } catch {
    // Said below, as for a file that lacks something.
  }
  throw usageError(`${path} is no file of prime testnet up: remove it, and start the network again`, path);
}

/** The network of `prime testnet up` in this folder, for who names no other one. @throws CliError `CLI_USAGE` where there is none */
export function networkHere(): NetworkFile {
  const network = readNetworkFile(defaultNetworkFolder);
  if (network !== null) return network;
  throw usageError('no network is named: give --rpc, or start one with prime testnet up', '--rpc');
}

/** A path as people type it from where they are. */
export const shownPath = (path: string): string => {
  const fromHere = relative(process.cwd(), resolve(path));
  return fromHere === '' || fromHere.startsWith('..') ? resolve(path) : fromHere;
};
