import { existsSync, renameSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { defaultStakingParams, type Genesis, genesisHash, hiddenHost, signerProofDigest } from '@prime/codec';
import { homePaths, type KeyPair, loadConfig, ownerKeyPath, parseGenesis } from '@prime/config';
import { cryptoProvider, type CryptoProvider } from '@prime/crypto';
import { spkiOf } from '@prime/network';
import { readHomeFile } from '@prime/node';
import { bytesToHex, type Hash, isPrimeError } from '@prime/primitives';
import {
  type Action,
  definePrimeChain,
  type Inclusion,
  primeWalletActions,
  type SignerClaim,
  toDigestAccount,
  type ValidatorEndpoint,
} from '@prime/sdk';
import type { Command } from 'commander';
import { createWalletClient, type Hex, isAddress } from 'viem';
import { asCommand } from '../../client/errors.ts';
import { confirm } from '../../terminal/confirm.ts';
import { CliError, parseWholeNumber, usageError } from '../../errors.ts';
import { existingHome, readGiven } from '../../files.ts';
import { makeKeystore, openKeystore } from '../../keys/keystores.ts';
import { type PasswordFlags, withPassword } from '../../keys/passwordFlags.ts';
import {
  type ApiKeyFlags,
  askNode,
  nodeTransport,
  patiently,
  type RpcNode,
  rpcNode,
  withApiKey,
} from '../../node/rpc.ts';
import type { JsonFlags } from '../../terminal/output.ts';
import { readNetworkFile } from '../../testnet/networkFile.ts';

/** `prime validator …`: what the owner of a validator may do, signed with the owner's key and sent to any node. */
export function addValidatorCommands(program: Command): void {
  const validator = program
    .command('validator')
    .description('Join, leave, stake, rotate the signer, come back from jail');
  withApiKey(validator.command('list'))
    .description('All registered validators, in the set or not')
    .requiredOption('--rpc <url>', 'any node of the network')
    .option('--json', 'as prime_registeredValidators answers')
    .action(list);
  const joining = owned(validator, 'join', 'Register, jailed until unjail')
    .requiredOption('--stake <wei>', 'stake in wei, taken from the owner')
    .requiredOption('--moniker <name>', 'name of up to 64 bytes');
  withClaim(withEndpoint(joining)).action((flags: OwnerFlags & JoinFlags) => join(flags));
  owned(validator, 'leave', 'Leave; the stake returns after the unbonding period. Asks first')
    .option('--yes', 'do not ask')
    .action((flags: OwnerFlags & { readonly yes?: boolean }) => send(flags, (context) => leavePayload(flags, context)));
  owned(validator, 'stake', 'Add stake, or take some out')
    .option('--add <wei>', 'wei to add')
    .option('--remove <wei>', 'wei to take out, returned after the unbonding period')
    .action((flags: OwnerFlags & { readonly add?: string; readonly remove?: string }) =>
      send(flags, async () => stakePayload(flags)),
    );
  owned(validator, 'unjail', 'Come back into the set').action((flags: OwnerFlags) =>
    send(flags, async () => {
      await warnOfRole(flags.home);
      return { type: 'validatorUnjail' };
    }),
  );
  owned(validator, 'jail-self', 'Go out of the set until unjail').action((flags: OwnerFlags) =>
    send(flags, async () => ({ type: 'validatorJail' })),
  );
  withClaim(owned(validator, 'rotate-signer', 'Make a new signer key and register it')).action(
    (flags: OwnerFlags & ClaimFlags) =>
      send(flags, async (context) => ({ type: 'validatorRotateSigner', ...(await nextSigner(flags, context)) })),
  );
  withEndpoint(owned(validator, 'set-endpoint', 'Tell the others where this node is')).action(
    (flags: OwnerFlags & EndpointFlags) =>
      send(flags, async () => ({ type: 'validatorSetEndpoint', ...(await endpointOf(flags)) })),
  );
  owned(validator, 'set-oracle-key', 'Have another key sign price reports, beside the signer')
    .option('--key <address>', 'address of that key')
    .option('--none', 'nobody but the signer')
    .action((flags: OwnerFlags & { readonly key?: string; readonly none?: boolean }) =>
      send(flags, async () => ({ type: 'validatorSetOracleKey', key: oracleKeyOf(flags) })),
    );
}

/** @throws CliError `CLI_USAGE` */
function oracleKeyOf({ key, none }: { readonly key?: string; readonly none?: boolean }): Hex | null {
  if ((key === undefined) === (none !== true)) throw usageError('give either --key or --none', '--key');
  if (key === undefined) return null;
  if (!isAddress(key)) throw usageError(`--key must be an address, got ${key}`, '--key');
  return key.toLowerCase() as Hex;
}

interface OwnerFlags extends ApiKeyFlags, PasswordFlags {
  readonly home: string;
  readonly rpc?: string;
  readonly ownerKey?: string;
}
interface ListFlags extends ApiKeyFlags, JsonFlags {
  readonly rpc: string;
}
interface EndpointFlags {
  readonly host?: string;
  readonly port?: string;
  readonly hidden?: boolean;
}
interface ClaimFlags {
  readonly signerClaim?: string;
}
interface JoinFlags extends EndpointFlags, ClaimFlags {
  readonly stake: string;
  readonly moniker: string;
}

const owned = (parent: Command, name: string, description: string): Command =>
  withPassword(withApiKey(parent.command(name)), 'owner')
    .description(description)
    .requiredOption('--home <dir>', 'home folder of the validator')
    .option('--rpc <url>', 'node to send it to (default: the network of prime testnet up that the home is in)')
    .option('--owner-key <file>', 'keystore of the owner (default: ../owners/NAME.json beside the home NAME)');

const withEndpoint = (command: Command): Command =>
  command
    .option('--host <host>', 'where the other validators reach this node')
    .option('--port <port>', 'its p2p port')
    .option('--hidden', 'instead of both: nobody is told, as the node is behind sentries');

const withClaim = (command: Command): Command =>
  command.option('--signer-claim <file>', 'of a key in a remote signer, as prime signer claim writes it');

interface Context {
  readonly provider: CryptoProvider;
  readonly owner: KeyPair;
  readonly genesis: Genesis;
  readonly chainId: number;
  readonly genesisHash: Hash;
}

/** What an owner signs. */
type OwnerAction = Extract<Action, { readonly type: `validator${string}` }>;

/** How long a block may take to hold the action, ms. */
const patienceMs = 60_000;

async function send(flags: OwnerFlags, actionOf: (context: Context) => Promise<OwnerAction>): Promise<void> {
  const { genesis: genesisPath, home } = await existingHome(flags.home);
  const node = await rpcNode(urlOf(flags), flags);
  const provider = await cryptoProvider();
  const { key: owner } = await openKeystore(flags.ownerKey ?? ownerKeyPath(home), 'owner', '--owner-key', flags);
  const genesis = parseGenesis(await readHomeFile(genesisPath));
  const context = { provider, owner, genesis, chainId: genesis.chainId, genesisHash: genesisHash(genesis) };
  await refuseOtherNetwork(node, context.genesisHash);
  const action = await actionOf(context);
  const { hash, blockNumber } = await submit(node, context, action);
  console.log(`${action.type} of ${owner.address} in block ${blockNumber}, ${hash}`);
}

/** Signed for the chain of the home, whatever the node says. Where no answer comes the same bytes are sent again until the time is over. */
function submit(node: RpcNode, { owner, provider, chainId }: Context, action: OwnerAction): Promise<Inclusion> {
  const signDigest = (digest: Uint8Array): Uint8Array => provider.sign(digest, owner.privateKey);
  const wallet = createWalletClient({
    account: toDigestAccount({ address: owner.address as Hex, signDigest }),
    chain: definePrimeChain({ id: chainId, http: [node.url] }),
    transport: nodeTransport(node, patiently),
  }).extend(primeWalletActions());
  const expiresAtMs = Date.now() + patienceMs;
  return asCommand(node.url, () => wallet.submitAction({ action, expiresAtMs, timeoutMs: patienceMs }));
}

/** The node that was named, or one of the network that `prime testnet up` runs in the folder of the home. @throws CliError `CLI_USAGE` */
function urlOf({ rpc, home }: OwnerFlags): string {
  const url = rpc ?? readNetworkFile(dirname(resolve(home)))?.rpcUrls[0];
  if (url !== undefined) return url;
  throw usageError('--rpc <url> is needed: no network.json of prime testnet up is beside the home', '--rpc');
}

/** An address may be another network's by now, and what is signed for one chain id fits all networks that have it. */
async function refuseOtherNetwork(node: RpcNode, expected: Hash): Promise<void> {
  const { hash } = await askNode(node, (client) => client.getBlock({ blockNumber: 0n }), patiently);
  if (hash === expected) return;
  throw new CliError(
    `${node.url} is another network: its genesis is ${hash}, that of the home is ${expected}; nothing was sent`,
    { code: 'CLI_OTHER_NETWORK', url: node.url, genesisHash: hash },
  );
}

/** Says what it means to leave, and asks. @throws CliError `CLI_USAGE`, `CLI_NOT_CONFIRMED` */
async function leavePayload(
  { yes = false }: { readonly yes?: boolean },
  { owner, genesis: { networkName, staking = defaultStakingParams } }: Context,
): Promise<OwnerAction> {
  const days = Number((staking.unbondingMs / 86_400_000).toFixed(2));
  await confirm(
    `${owner.address} leaves the validators of ${networkName}: from the second block on it decides no more. Its stake comes back after ` +
      `${days} ${days === 1 ? 'day' : 'days'}, and answers for what was signed until then. To come back it has to join anew.`,
    yes,
  );
  return { type: 'validatorLeave' };
}

/** Who is in the set and does not vote is jailed again. */
async function warnOfRole(home: string): Promise<void> {
  const { config: path } = homePaths(resolve(home));
  if (!existsSync(path)) return;
  const { config } = loadConfig({ file: { name: path, text: await readHomeFile(path) }, environment: process.env });
  if (config.node.role === 'validator') return;
  console.error(
    `prime: warning: ${path} has role = "${config.node.role}", and such a node does not vote: set role = "validator" and start it anew, ` +
      'or the validator is jailed again for being away',
  );
}

const join = (flags: OwnerFlags & JoinFlags): Promise<void> =>
  send(flags, async (context) => {
    const claim = await joinClaim(flags, context);
    const stake = parseWei(flags.stake, '--stake');
    return { type: 'validatorJoin', ...claim, stake, moniker: flags.moniker, ...(await endpointOf(flags)) };
  });

async function joinClaim(flags: OwnerFlags & ClaimFlags, context: Context): Promise<SignerClaim> {
  if (flags.signerClaim !== undefined) return givenClaim(flags.signerClaim, context);
  const { signerKey } = homePaths(flags.home);
  refuseRemote(signerKey);
  return claimOf(context, (await openKeystore(signerKey, 'signer', '--home')).key);
}

function refuseRemote(signerKey: string): void {
  if (existsSync(signerKey)) return;
  throw usageError(
    `${signerKey} is not there; when the key is in a remote signer, give what prime signer claim writes`,
    '--signer-claim',
  );
}

/** What `prime signer claim` wrote: a key in a remote signer. @throws CliError `CLI_USAGE` */
async function givenClaim(path: string, { owner }: Context): Promise<SignerClaim> {
  const refuse = (reason: string): CliError =>
    usageError(`${path} is no claim of a signer: ${reason}`, '--signer-claim');
  let file: Readonly<Record<string, unknown>>;
  try {
    file = JSON.parse(await readGiven(path, '--signer-claim')) as typeof file;
  } catch (error) {
    throw isPrimeError(error) ? error : refuse((error as Error).message);
  }
  const hexOf = (name: string, size: number): Hex => {
    const text = file[name];
    if (typeof text !== 'string' || !new RegExp(`^0x[0-9a-f]{${2 * size}}$`).test(text))
      throw refuse(`${name} must be 0x and ${2 * size} hex digits`);
    return text as Hex;
  };
  if (file['owner'] !== owner.address) throw refuse(`it is for owner ${String(file['owner'])}, not ${owner.address}`);
  return { signerKey: hexOf('publicKey', 33), signerProof: hexOf('proof', 65) };
}

const claimOf = ({ provider, owner, chainId, genesisHash: genesis }: Context, signer: KeyPair): SignerClaim => ({
  signerKey: bytesToHex(signer.publicKey) as Hex,
  signerProof: bytesToHex(provider.sign(signerProofDigest(chainId, genesis, owner.address), signer.privateKey)) as Hex,
});

async function endpointOf({ home, host, port, hidden }: OwnerFlags & EndpointFlags): Promise<ValidatorEndpoint> {
  const tlsKeyHash = spkiOf(await readHomeFile(homePaths(home).tlsCertificate)) as Hex;
  if (hidden === true) return { host: hiddenHost, port: 1, tlsKeyHash };
  if (host === undefined || port === undefined)
    throw usageError('give --host and --port, or --hidden for a validator behind sentries', '--host');
  return { host, port: parseWholeNumber(port, '--port', 1, 0xffff), tlsKeyHash };
}

function stakePayload({ add, remove }: { readonly add?: string; readonly remove?: string }): OwnerAction {
  if ((add === undefined) === (remove === undefined)) throw usageError('give either --add or --remove', 'stake');
  return add === undefined
    ? { type: 'validatorUnbond', amount: parseWei(remove!, '--remove') }
    : { type: 'validatorBond', amount: parseWei(add, '--add') };
}

function parseWei(text: string, name: string): bigint {
  if (!/^[0-9]{1,60}$/.test(text)) throw usageError(`${name} must be a whole number of wei, got ${text}`, name);
  return BigInt(text);
}

/**
 * The key that is to sign next, in `keys/signer.next.json`, where the running node finds it. One that is there already and not registered is
 * used again; the one before, when it is registered by now, takes the place of `keys/signer.json`.
 */
async function nextSigner(flags: OwnerFlags & ClaimFlags, context: Context): Promise<SignerClaim> {
  if (flags.signerClaim !== undefined) return givenClaim(flags.signerClaim, context);
  const { owner } = context;
  const { signerKey, nextSignerKey } = homePaths(flags.home);
  refuseRemote(signerKey);
  const node = await rpcNode(urlOf(flags), flags);
  const validators = await askNode(node, (client) => client.getRegisteredValidators(), patiently);
  const registered = validators.find(({ address }) => address === owner.address)?.publicKey;
  if (existsSync(nextSignerKey)) {
    const { key: next } = await openKeystore(nextSignerKey, 'signer', '--home');
    if (bytesToHex(next.publicKey) !== registered) return claimOf(context, next);
    renameSync(nextSignerKey, signerKey);
  }
  // Under the password of the one before it, which is what the running node has.
  const protection = await openKeystore(signerKey, 'signer', '--home');
  return claimOf(context, await makeKeystore(nextSignerKey, 'signer', protection));
}

async function list({ rpc, json = false, ...flags }: ListFlags): Promise<void> {
  const node = await rpcNode(rpc, flags);
  if (json) {
    const validators = await askNode(node, (client) => client.request({ method: 'prime_registeredValidators' }));
    return console.log(JSON.stringify(validators, null, 2));
  }
  const validators = await askNode(node, (client) => client.getRegisteredValidators());
  for (const { address, status, votingPower, stake, moniker } of validators)
    console.log(`${address}  ${status.padEnd(10)}  power ${votingPower}  stake ${stake} wei  ${moniker}`);
}
