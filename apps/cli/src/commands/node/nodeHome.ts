import { existsSync, mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Genesis, genesisHash } from '@prime/codec';
import {
  checkDeclaration,
  type ConfigValues,
  formatListenAddress,
  type HomePaths,
  homePaths,
  loadConfig,
  type NodeConfig,
  parseDeclaration,
  parseGenesis,
  ownerKeyPath,
  parseKeystore,
  presetConfig,
  parseRemoteSigner,
  type ReadDeclaration,
  renderConfigToml,
  renderTable,
} from '@prime/config';
import { cryptoProvider, publicKeyToAddress } from '@prime/crypto';
import { spkiOf } from '@prime/network';
import { readHomeFile, readOwnValidator } from '@prime/node';
import { type Address, bytesEqual, bytesToHex, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';
import { parseWholeNumber, usageError, notEmpty } from '../../errors.ts';
import { readGiven } from '../../files.ts';
import { readKeystore } from '../../keys/keystores.ts';
import { type HomeKeyFlags, makeKeys, withHomeKeys } from '../../home/nodeKeys.ts';
import { peersIn } from '../../home/peersFile.ts';
import { provisionHome } from '../../home/provision.ts';
import { openHome } from '../../home/openHome.ts';

interface InitFlags extends HomeKeyFlags {
  readonly home: string;
  readonly genesis: string;
  readonly peers?: string;
  readonly host?: string;
  readonly basePort?: string;
}

interface ProvisionFlags {
  readonly home: string;
  readonly config: string;
  readonly keys?: string | null;
}

/** `prime node init | provision | show`: a home for one more node of a network, and what the others have to know of it. */
export function addNodeHomeCommands(node: Command): void {
  withHomeKeys(node.command('init'))
    .description(
      'Write the home of one more node of a network: it follows, and may become a validator; after prime genesis declare it is one',
    )
    .requiredOption('--home <dir>', 'folder to write, new or that of prime genesis declare')
    .requiredOption('--genesis <file>', 'genesis.json of the network')
    .option('--peers <file>', 'nodes to connect with: what `prime node show` prints for each of them')
    .option('--host <host>', 'where other nodes reach this one (default: as declared, or 127.0.0.1)')
    .option('--base-port <port>', 'RPC, p2p and admin from there on (default: 8545, 26656, 9100)')
    .action((flags: InitFlags) => init(flags));
  node
    .command('provision')
    .description('Make a home of files that a platform mounts, or bring one up to date; for an init container')
    .requiredOption('--home <dir>', 'home folder of the node, on a volume of its own')
    .requiredOption('--config <dir>', 'folder with config.toml and genesis.json')
    .option('--keys <dir>', 'folder with the files of keys/ (default: keys are made where there are none)')
    .action(({ home, config, keys = null }: ProvisionFlags) => provisionHome({ kind: 'node', home, config, keys }));
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
  const isDeclared = existsSync(paths.declaration);
  if (existsSync(paths.genesis) || (existsSync(paths.keys) && !isDeclared))
    throw notEmpty(`${paths.home} is a home already`, paths.home);
  const genesisText = await readGiven(flags.genesis, '--genesis');
  const genesis = parseGenesis(genesisText);
  const declared = isDeclared ? await declaredIn(paths, genesis) : null;
  const isValidator = declared !== null && isIn(genesis, declared);
  const listed = flags.peers === undefined ? [] : await peersIn(flags.peers);
  // A file of all validators has this one as well.
  const peers = listed.filter(({ spki }) => declared === null || String(spki).toLowerCase() !== declared.spki);
  const config = renderConfigToml({
    ...presetConfig(genesis),
    ...placeOf(flags, declared),
    'node.role': isValidator ? 'validator' : 'full',
    'p2p.peers': peers,
  });
  loadConfig({ file: { name: paths.config, text: config }, environment: {} });
  mkdirSync(paths.home, { recursive: true, mode: 0o700 });
  if (declared === null) await makeKeys(paths, flags, { withOwner: true, isTest: genesis.testNetwork });
  const write = (path: string, text: string): void => writeFileDurably(path, utf8ToBytes(text), 0o644);
  write(paths.config, config);
  // Last: what makes the folder a home.
  write(paths.genesis, genesisText);
  console.log(`wrote ${paths.home}; the key of its owner is beside it, and can be kept elsewhere\n`);
  if (declared !== null && !isValidator)
    console.log(`# ${declared.owner} is no validator of this genesis: the node follows\n`);
  await show(flags.home);
}

/** What this home declared, which has to be for the network of the genesis. @throws ConfigError */
async function declaredIn({ declaration: path }: HomePaths, genesis: Genesis): Promise<ReadDeclaration> {
  const declared = parseDeclaration(await cryptoProvider(), (await readHomeFile(path)).trim(), path);
  checkDeclaration(declared, genesis);
  return declared;
}

const isIn = ({ validators }: Genesis, { owner, publicKey }: ReadDeclaration): boolean =>
  validators.some((each) => each.address === owner && bytesEqual(each.publicKey, publicKey));

function placeOf({ host: wanted, basePort }: InitFlags, declared: ReadDeclaration | null): ConfigValues {
  const base = basePort === undefined ? null : parseWholeNumber(basePort, '--base-port', 1, 64_000);
  const [rpc, ownP2p, admin] = base === null ? defaultPorts : [base, base + 1, base + 2];
  const host = wanted ?? declared?.host ?? loopback;
  const p2p = declared?.port ?? ownP2p;
  const isLocal = host === loopback || host === '::1';
  const all = host.includes(':') ? '::' : '0.0.0.0';
  return {
    'rpc.listen': formatListenAddress({ host: loopback, port: rpc }),
    'p2p.listen': formatListenAddress({ host: isLocal ? host : all, port: p2p }),
    ...(isLocal ? {} : { 'p2p.advertise': formatListenAddress({ host, port: p2p }) }),
    'admin.listen': formatListenAddress({ host: loopback, port: admin }),
  };
}

async function show(home: string): Promise<void> {
  const { paths, genesis } = await openHome(home);
  const { config } = loadConfig({
    file: { name: paths.config, text: await readHomeFile(paths.config) },
    environment: process.env,
  });
  const signer = await signerOf(paths);
  const ownerKey = ownerKeyPath(paths.home);
  const owner = existsSync(ownerKey) ? (await readKeystore(ownerKey, 'owner', '--home')).address : null;
  const validator =
    genesis.validators.find(({ publicKey }) => publicKeyToAddress(publicKey) === signer.address) ??
    readOwnValidator(paths.validator);
  const { host, port } = endpointOf(config);
  // As the node shows itself: only one that votes comes under its validator's address.
  const address = config.node.role === 'validator' ? (validator?.address ?? signer.address) : signer.address;
  const spki = spkiOf(await readHomeFile(paths.tlsCertificate));
  // All of it is TOML, so that the words for several nodes make a file of peers.
  console.log(`# genesis ${genesisHash(genesis)}`);
  console.log(`# owner   ${owner ?? 'kept elsewhere'}`);
  console.log(`# signer  ${signer.address}`);
  console.log(`# key     ${signer.publicKey ?? 'in the remote signer'}`);
  console.log(`\n# For config.toml of other nodes:\n${renderTable('p2p.peers', { address, host, port, spki })}`);
  if (validator != null && address !== validator.address)
    console.log(`# with role = "validator" it has the address ${validator.address}`);
}

/** The hot key may be elsewhere; its address is known all the same. */
async function signerOf(paths: HomePaths): Promise<{ readonly address: Address; readonly publicKey: string | null }> {
  const { signerKey, remoteSigner } = paths;
  if (!existsSync(signerKey) && existsSync(remoteSigner)) {
    const { address } = parseRemoteSigner(await readHomeFile(remoteSigner), remoteSigner)[0]!;
    return { address, publicKey: null };
  }
  const { address, publicKey } = parseKeystore(await readHomeFile(signerKey), signerKey);
  if (address !== null && publicKey !== null) return { address, publicKey: bytesToHex(publicKey) };
  throw usageError(
    `${signerKey} does not say its public key: another program wrote it. Let it be written anew: prime key import ${signerKey} --kind signer`,
    '--home',
  );
}

function endpointOf({ p2p: { advertise, listen } }: NodeConfig): { readonly host: string; readonly port: number } {
  const place = advertise ?? listen;
  if (place !== null) return place;
  throw usageError('this node takes no connections: set p2p.listen', 'p2p.listen');
}
