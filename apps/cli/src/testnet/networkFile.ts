import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { genesisHash } from '@prime/codec';
import {
  devMnemonic,
  devPrivateKeys,
  homePaths,
  parseGenesis,
  parseUnlockedAccounts,
  type TestnetPlace,
  validatorName,
} from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { readHomeFile } from '@prime/node';
import { bytesEqual, bytesToHex, type Hash } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { CliError } from '../errors.ts';

/** The three ports of a validator. */
type Ports = Pick<TestnetPlace, 'rpcPort' | 'p2pPort' | 'adminPort'>;

/** One validator of a local network, as programs beside it need it. */
interface NetworkValidator {
  readonly name: string;
  readonly home: string;
  /** JSON lines of its log. */
  readonly log: string;
  readonly rpc: string;
  readonly ws: string;
  readonly admin: string;
  readonly ports: Ports;
  /** Those that it goes back to when they are free. */
  readonly wantedPorts: Ports;
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
  /** One per validator. */
  readonly rpcUrls: readonly string[];
  readonly wsUrls: readonly string[];
  /** Where people look at it in a browser; null where nobody serves that. */
  readonly explorerUrl: string | null;
  readonly validators: readonly NetworkValidator[];
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
  }[];
}

/** Where `prime testnet up` keeps a network that is given no other folder. */
export const defaultNetworkFolder = join('.prime', 'testnet');
const fileName = 'network.json';

/** The log that `prime testnet up` keeps for a validator. */
const logPath = (home: string): string => join(home, 'node.log');

const portsOf = ({ rpcPort, p2pPort, adminPort }: Ports): Ports => ({ rpcPort, p2pPort, adminPort });

/** Where the processes of a network listen. */
interface NetworkPlaces {
  /** Of the validators. */
  readonly places: readonly TestnetPlace[];
  /** Ports that each validator goes back to when they are free. */
  readonly wanted: readonly Ports[];
  readonly explorerUrl: string | null;
}

/** Reads a network from its homes, and writes what programs beside it need. */
export async function writeNetworkFile(
  directory: string,
  { places, wanted, explorerUrl }: NetworkPlaces,
): Promise<NetworkFile> {
  const homes = places.map((_, index) => join(directory, validatorName(index)));
  const genesis = parseGenesis(await readHomeFile(homePaths(homes[0]!).genesis));
  const accounts = await accountsOf(homes[0]!);
  const known = devPrivateKeys();
  const isDev = accounts.length > 0 && accounts.every((key, index) => bytesEqual(key.privateKey, known[index]!));
  const validators = places.map((place, index) => ({
    name: validatorName(index),
    home: homes[index]!,
    log: logPath(homes[index]!),
    rpc: `http://127.0.0.1:${place.rpcPort}`,
    ws: `ws://127.0.0.1:${place.rpcPort}`,
    admin: `http://127.0.0.1:${place.adminPort}`,
    ports: portsOf(place),
    wantedPorts: portsOf(wanted[index]!),
  }));
  const file: NetworkFile = {
    name: genesis.networkName,
    chainId: genesis.chainId,
    genesisHash: genesisHash(genesis),
    rpcUrls: validators.map(({ rpc }) => rpc),
    wsUrls: validators.map(({ ws }) => ws),
    explorerUrl,
    validators,
    mnemonic: isDev ? devMnemonic : null,
    accounts: accounts.map(({ address, privateKey }) => ({ address, privateKey: bytesToHex(privateKey) })),
    blockIntervalMs: genesis.consensus.minBlockIntervalMs,
    emptyBlockIntervalMs: genesis.consensus.emptyBlockIntervalMs,
    markets: genesis.markets.map(({ symbol, tickSize, lotSize, baseDecimals, quoteDecimals }, index) => ({
      id: index + 1,
      symbol,
      tickSize: `${tickSize}`,
      lotSize: `${lotSize}`,
      baseDecimals,
      quoteDecimals,
    })),
  };
  const text = new TextEncoder().encode(`${JSON.stringify(file, null, 2)}\n`);
  writeFileDurably(join(directory, fileName), text, 0o600);
  return file;
}

/** Accounts that a node signs for; none where it holds no keys. */
async function accountsOf(home: string): Promise<ReturnType<typeof parseUnlockedAccounts>> {
  const { unlockedAccounts } = homePaths(home);
  if (!existsSync(unlockedAccounts)) return [];
  return parseUnlockedAccounts(await cryptoProvider(), await readHomeFile(unlockedAccounts), unlockedAccounts);
}

/** What `prime testnet up` wrote into a folder; null where it never ran. @throws CliError `CLI_USAGE` for a file that is none */
export function readNetworkFile(directory: string): NetworkFile | null {
  const path = join(directory, fileName);
  if (!existsSync(path)) return null;
  try {
    const file = JSON.parse(readFileSync(path, 'utf8')) as NetworkFile;
    if (Array.isArray(file.rpcUrls) && Array.isArray(file.validators) && typeof file.genesisHash === 'string')
      return file;
  } catch {
    // Said below, as for a file that lacks something.
  }
  throw new CliError(`${path} is no file of prime testnet up: remove it, and start the network again`, {
    code: 'CLI_USAGE',
    argument: path,
  });
}

/** A path as people type it from where they are. */
export const shownPath = (path: string): string => {
  const fromHere = relative(process.cwd(), resolve(path));
  return fromHere === '' || fromHere.startsWith('..') ? resolve(path) : fromHere;
};
