import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { genesisHash, isQuorum, powerOfStake } from '@prime/codec';
import {
  collectGenesis,
  devPrivateKeys,
  formatDeclaration,
  type GenesisBase,
  homePaths,
  keyPair,
  parseDeclaration,
  parseDeclarations,
  parseGenesis,
  ownerKeyPath,
  presetGenesis,
  presetNames,
  type ReadDeclaration,
  renderTable,
  validatorStake,
} from '@prime/config';
import { cryptoProvider, type CryptoProvider } from '@prime/crypto';
import { spkiOf } from '@prime/network';
import { readHomeFile } from '@prime/node';
import { type Address, type Hash, parseAddress, toTimestampMs, utf8ToBytes, zeroAddress } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import type { Command } from 'commander';
import { type CliError, notEmpty, parseChoice, parseWholeNumber, usageError } from '../../errors.ts';
import { readGiven } from '../../files.ts';
import { openKeystore, readKeystore } from '../../keys/keystores.ts';
import { type HomeKeyFlags, makeKeys, ofOwner, withHomeKeys } from '../../home/nodeKeys.ts';

interface DeclareFlags extends HomeKeyFlags {
  readonly home: string;
  readonly network: string;
  readonly chainId: string;
  readonly moniker: string;
  readonly host: string;
  readonly port: string;
  readonly stake: string;
  readonly ownerKey?: string;
}

interface CollectFlags {
  readonly out: string;
  readonly template?: string;
  readonly network?: string;
  readonly chainId?: string;
  readonly time?: string;
  readonly preset?: string;
  readonly admin?: string;
}

/** `prime genesis declare | collect`: a genesis of validators whose keys never leave their operators' machines. */
export function addGenesisCommands(program: Command): void {
  const genesis = program.command('genesis').description('A genesis that several operators make together');
  withHomeKeys(genesis.command('declare'))
    .description(
      'Make the keys of a validator, where there are none, and print the signed line to send; nothing in it is secret',
    )
    .requiredOption('--home <dir>', 'home folder of the validator')
    .requiredOption('--network <name>', 'name of the network, as all have agreed')
    .requiredOption('--chain-id <n>', 'its chain id')
    .requiredOption('--moniker <name>', 'name of this validator, up to 64 bytes')
    .requiredOption('--host <host>', 'where the other validators reach this node')
    .option('--port <port>', 'its p2p port', '26656')
    .option('--stake <wei>', 'its stake', String(validatorStake))
    .option(
      '--owner-key <file>',
      'key of the owner (default: ../owners/NAME.json beside the home NAME, made where it is missing)',
    )
    .action(declare);
  genesis
    .command('collect <files...>')
    .description('Make genesis.json and peers.toml of the lines of all validators; their order counts for nothing')
    .requiredOption('--out <dir>', 'folder to write them to')
    .option('--network <name>', 'name of the network')
    .option('--chain-id <n>', 'its chain id')
    .option('--time <time>', 'when it begins, a moment that is past: 2026-01-31T12:00:00Z')
    .option('--preset <preset>', 'the rest of the genesis: testnet or local (default: testnet)')
    .option('--admin <address>', 'who administers the markets, and holds all wei, of --preset testnet')
    .option('--template <file>', 'genesis.json with all but the validators, in place of the options before')
    .action(collect);
}

async function declare(flags: DeclareFlags): Promise<void> {
  const paths = homePaths(resolve(flags.home));
  if (existsSync(paths.genesis))
    throw notEmpty(`${paths.home} is a home of a network already: name another folder`, paths.home);
  const rest = {
    networkName: flags.network,
    chainId: parseWholeNumber(flags.chainId, '--chain-id', 1, Number.MAX_SAFE_INTEGER),
    moniker: flags.moniker,
    stake: parseStake(flags.stake),
    host: flags.host,
    port: parseWholeNumber(flags.port, '--port', 1, 0xffff),
  };
  const provider = await cryptoProvider();
  const ownerPath = flags.ownerKey ?? ownerKeyPath(paths.home);
  if (flags.ownerKey !== undefined) await readKeystore(ownerPath, 'owner', '--owner-key');
  const made = await makeKeys(paths, flags, { withOwner: flags.ownerKey === undefined, isTest: false });
  const owner = made.owner ?? (await openKeystore(ownerPath, 'owner', '--owner-key', ofOwner(flags))).key;
  const signer = made.signer ?? (await openKeystore(paths.signerKey, 'signer', '--home', flags)).key;
  const spki = spkiOf(await readHomeFile(paths.tlsCertificate)) as Hash;
  const line = formatDeclaration(
    provider,
    { ...rest, owner: owner.address, publicKey: signer.publicKey, spki },
    { owner, signer },
  );
  // As everybody else will read it.
  parseDeclaration(provider, line, 'this declaration');
  writeFileDurably(paths.declaration, utf8ToBytes(`${line}\n`), 0o644);
  console.log(line);
}

function parseStake(text: string): bigint {
  if (/^[1-9][0-9]{0,59}$/.test(text)) return BigInt(text);
  throw usage('--stake', `a whole number of wei, 1 or more, got ${text}`);
}

async function collect(files: readonly string[], flags: CollectFlags): Promise<void> {
  const directory = resolve(flags.out);
  const targets = { genesis: join(directory, 'genesis.json'), peers: join(directory, 'peers.toml') };
  for (const path of Object.values(targets))
    if (existsSync(path)) throw notEmpty(`${path} is there already: name another folder`, path);
  const provider = await cryptoProvider();
  const base = await baseOf(flags, provider);
  const texts = await Promise.all(files.map((file) => readGiven(file, 'files')));
  const declarations = texts.flatMap((text, index) => parseDeclarations(provider, text, files[index]!));
  const { text, genesis, validators } = collectGenesis(base, declarations);
  mkdirSync(directory, { recursive: true });
  const write = (path: string, content: string): void => writeFileDurably(path, utf8ToBytes(content), 0o644);
  write(targets.peers, validators.map(peerTable).join('\n'));
  write(targets.genesis, text);
  for (const line of summary(validators)) console.log(line);
  console.log(`wrote ${targets.genesis} and ${targets.peers}\ngenesis ${genesisHash(genesis)}`);
}

const peerTable = ({ owner, host, port, spki, moniker }: ReadDeclaration): string =>
  `# ${moniker}\n${renderTable('p2p.peers', { address: owner, host, port, spki })}\n`;

/** Whose power a network has: what the operators have to agree on before they run it. */
function summary(validators: readonly ReadDeclaration[]): string[] {
  const powers = validators.map(({ stake }) => powerOfStake(stake));
  const total = powers.reduce((sum, power) => sum + power, 0n);
  const lines = validators.map(({ owner, host, port, moniker }, index) => {
    const percent = (Number((powers[index]! * 1_000n) / total) / 10).toFixed(1);
    return `${owner}  power ${powers[index]} (${percent} %)  ${host}:${port}  ${moniker}`;
  });
  const largest = powers.findIndex((power) => !isQuorum(total - power, total));
  if (largest >= 0)
    lines.push(`warning: ${validators[largest]!.moniker} has a third of the power: without it no block is decided`);
  return lines;
}

/** Everything but the validators. */
async function baseOf(flags: CollectFlags, provider: CryptoProvider): Promise<GenesisBase> {
  const { template, network, chainId, time, preset, admin } = flags;
  if (template !== undefined) {
    const given = Object.entries({ network, chainId, time, preset, admin }).find(([, value]) => value !== undefined);
    if (given !== undefined) throw usage('--template', 'alone: it says all that the other options say');
    return parseGenesis(await readGiven(template, '--template'));
  }
  if (network === undefined || chainId === undefined || time === undefined)
    throw usage('--network', 'given with --chain-id and --time, or --template in place of them');
  const name = parseChoice(preset ?? 'testnet', '--preset', presetNames);
  // The preset `local` has no administrator.
  if ((admin === undefined) !== (name === 'local'))
    throw usage('--admin', 'given with --preset testnet, and with no other');
  return presetGenesis(
    name,
    {
      networkName: network,
      chainId: parseWholeNumber(chainId, '--chain-id', 1, Number.MAX_SAFE_INTEGER),
      timestampMs: toTimestampMs(timeOf(time)),
    },
    {
      devAccounts: devPrivateKeys().map((key) => keyPair(provider, key).address),
      admin: admin === undefined ? zeroAddress : addressOf(admin),
    },
  );
}

function addressOf(text: string): Address {
  if (/^0x[0-9a-fA-F]{40}$/.test(text)) return parseAddress(text);
  throw usage('--admin', `an address, 0x and 40 hex digits, got ${text}`);
}

/** Blocks have to be later than genesis: a network whose genesis is to come would only try rounds until then. */
function timeOf(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time) || time < 0) throw usage('--time', `a moment like 2026-01-31T12:00:00Z, got ${text}`);
  if (time > Date.now()) throw usage('--time', `a moment that is past, got ${text}`);
  return time;
}

const usage = (argument: string, allowed: string): CliError => usageError(`${argument} has to be ${allowed}`, argument);
