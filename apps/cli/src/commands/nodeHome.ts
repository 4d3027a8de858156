import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type ConfigValues,
  formatKeyFile,
  formatListenAddress,
  generateKeyPair,
  type HomePaths,
  homePaths,
  loadConfig,
  type NodeConfig,
  parseGenesis,
  parseKeyFile,
  parseRemoteSigner,
  presetConfig,
  renderConfigToml,
  renderTable,
} from '@prime/config';
import { cryptoProvider, type CryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { generateTlsIdentity, spkiOf } from '@prime/network';
import { readHomeFile, readValidatorNote } from '@prime/node';
import { type Address, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';
import { CliError, parseWholeNumber } from '../errors.ts';
import { existingHome, readGiven } from '../files.ts';
import { peersIn } from '../peersFile.ts';

interface InitFlags {
  readonly home: string;
  readonly genesis: string;
  readonly peers?: string;
  readonly host: string;
  readonly basePort?: string;
}

/** `prime node init | show`: a home for one more node of a network, and what the others have to know of it. */
export function addNodeHomeCommands(node: Command): void {
  node
    .command('init')
    .description('Write the home of one more node of a network: it follows, and may become a validator')
    .requiredOption('--home <dir>', 'folder to write, new or empty of genesis.json and keys')
    .requiredOption('--genesis <file>', 'genesis.json of the network')
    .option('--peers <file>', 'nodes to connect with: what `prime node show` prints for each of them')
    .option('--host <host>', 'where other nodes reach this one', '127.0.0.1')
    .option('--base-port <port>', 'RPC, p2p and admin from there on (default: 8545, 26656, 9100)')
    .action((flags: InitFlags) => init(flags));
  node
    .command('show')
    .description('Keys of a node, and the lines with which others list it as a peer')
    .requiredOption('--home <dir>', 'home folder of the node')
    .action(({ home }: { readonly home: string }) => show(home));
}

const loopback = '127.0.0.1';
const defaultPorts = [8_545, 26_656, 9_100] as const;

async function init(flags: InitFlags): Promise<void> {
  const paths = homePaths(resolve(flags.home));
  if (existsSync(paths.genesis) || existsSync(paths.keys))
    throw new CliError(`${paths.home} is a home already`, { code: 'CLI_NOT_EMPTY', path: paths.home });
  const genesisText = await readGiven(flags.genesis, '--genesis');
  const genesis = parseGenesis(genesisText);
  const peers = flags.peers === undefined ? [] : await peersIn(flags.peers);
  const config = renderConfigToml({ ...presetConfig(genesis), ...placeOf(flags), 'p2p.peers': peers });
  loadConfig({ file: { name: paths.config, text: config }, environment: {} });
  const provider = await cryptoProvider();
  const pair = () => generateKeyPair(provider, (length) => new Uint8Array(randomBytes(length)));
  const tls = await generateTlsIdentity();
  mkdirSync(dirname(paths.ownerKey), { recursive: true, mode: 0o700 });
  const write = (path: string, text: string, mode = 0o600): void => writeFileDurably(path, utf8ToBytes(text), mode);
  write(paths.ownerKey, formatKeyFile('owner', pair()));
  write(paths.signerKey, formatKeyFile('signer', pair()));
  write(paths.tlsKey, tls.privateKeyPem);
  write(paths.tlsCertificate, tls.certificatePem, 0o644);
  write(paths.config, config, 0o644);
  // Last: what makes the folder a home.
  write(paths.genesis, genesisText, 0o644);
  console.log(`wrote ${paths.home}; keys/owner.json can be kept elsewhere\n`);
  await show(flags.home);
}

function placeOf({ host, basePort }: InitFlags): ConfigValues {
  const base = basePort === undefined ? null : parseWholeNumber(basePort, '--base-port', 1, 64_000);
  const [rpc, p2p, admin] = base === null ? defaultPorts : [base, base + 1, base + 2];
  const isLocal = host === loopback;
  return {
    'node.role': 'full',
    'rpc.listen': formatListenAddress({ host: loopback, port: rpc }),
    'p2p.listen': formatListenAddress({ host: isLocal ? loopback : '0.0.0.0', port: p2p }),
    ...(isLocal ? {} : { 'p2p.advertise': formatListenAddress({ host, port: p2p }) }),
    'admin.listen': formatListenAddress({ host: loopback, port: admin }),
  };
}

async function show(home: string): Promise<void> {
  const paths = await existingHome(home);
  const provider = await cryptoProvider();
  const genesis = parseGenesis(await readHomeFile(paths.genesis));
  const { config } = loadConfig({
    file: { name: paths.config, text: await readHomeFile(paths.config) },
    environment: process.env,
  });
  const signer = await signerOf(paths, provider);
  const owner = existsSync(paths.ownerKey)
    ? parseKeyFile(provider, await readHomeFile(paths.ownerKey), 'owner', paths.ownerKey).address
    : 'kept elsewhere';
  const validator =
    genesis.validators.find(({ publicKey }) => publicKeyToAddress(publicKey) === signer) ??
    readValidatorNote(paths.validator);
  const { host, port } = endpointOf(config);
  const address = validator?.address ?? signer;
  const spki = spkiOf(await readHomeFile(paths.tlsCertificate));
  // All of it is TOML, so that the words for several nodes make a file of peers.
  console.log(`# owner   ${owner}`);
  console.log(`# signer  ${signer}`);
  console.log(`\n# For config.toml of other nodes:\n${renderTable('p2p.peers', { address, host, port, spki })}`);
}

/** The hot key may be elsewhere. */
async function signerOf(paths: HomePaths, provider: CryptoProvider): Promise<Address> {
  const { signerKey, remoteSigner } = paths;
  if (!existsSync(signerKey) && existsSync(remoteSigner))
    return parseRemoteSigner(await readHomeFile(remoteSigner), remoteSigner)[0]!.address;
  return parseKeyFile(provider, await readHomeFile(signerKey), 'signer', signerKey).address;
}

function endpointOf({ p2p: { advertise, listen } }: NodeConfig): { readonly host: string; readonly port: number } {
  const place = advertise ?? listen;
  if (place !== null) return place;
  throw new CliError('this node takes no connections: set p2p.listen', { code: 'CLI_USAGE', argument: 'p2p.listen' });
}
