import { statSync } from 'node:fs';
import { type PrimeWalletActions, primeWalletActions, toAgentAccount } from '@prime/sdk';
import type { Command } from 'commander';
import { bytesToHex } from '@prime/primitives';
import { type Account, type Address, createWalletClient, type Hex, isAddress } from 'viem';
import { privateKeyToAccount, toAccount } from 'viem/accounts';
import { usageError, notFound } from '../errors.ts';
import { readGiven } from '../files.ts';
import { openKeystore } from '../keys/keystores.ts';
import { type PasswordFlags, withPassword } from '../keys/passwordFlags.ts';
import { asCommand } from './errors.ts';
import { type Connection, connect, type NodeFlags, withNode } from './connect.ts';

/** Whose key signs. */
export interface SignerFlags extends NodeFlags, PasswordFlags {
  readonly keyFile?: string;
  readonly from?: string;
  readonly owner?: string;
}

/** Adds the options of {@link SignerFlags}. A key is never an argument, because arguments are shown to everybody on the machine. */
export const withSigner = (command: Command): Command =>
  withPassword(withNode(command))
    .option(
      '--key-file <file>',
      'private key that signs: a keystore, as prime account new writes it, or hex (else the environment: PRIME_PRIVATE_KEY, PRIME_KEY_FILE, PRIME_FROM)',
    )
    .option('--from <address>', 'account whose key the node holds, on test networks')
    .option('--owner <address>', 'account for which the key signs as its agent, or a sub-account');

/** A connection that signs. */
export interface SigningConnection extends Connection {
  /** For whom it acts: the owner of an agent's key, else the signer. */
  readonly owner: Address;
  readonly wallet: PrimeWalletActions;
}

/**
 * Acts with the key that the options name; what is refused becomes an error of the command line.
 *
 * @throws CliError `CLI_USAGE` without a key, `CLI_NOT_FOUND`, and what the node refuses
 */
export async function asSigner(
  flags: SignerFlags,
  act: (connection: SigningConnection) => Promise<void>,
): Promise<void> {
  const connection = await connect(flags);
  const account = await accountOf(connection, flags);
  const wallet = createWalletClient({ account, transport: connection.transport }).extend(primeWalletActions());
  const owner = flags.owner === undefined ? lowerCase(account.address) : parseAddress(flags.owner, '--owner');
  return asCommand(connection.urls[0], () => act({ ...connection, owner, wallet }));
}

/** Whose account is meant: the argument's, else that of the key. @throws CliError `CLI_USAGE` */
export async function addressOf(given: string | undefined, flags: SignerFlags): Promise<Address> {
  if (given !== undefined) return parseAddress(given, 'ADDRESS');
  if (flags.owner !== undefined) return parseAddress(flags.owner, '--owner');
  const source = keySource(flags);
  if (source?.kind === 'from') return parseAddress(source.value, source.name);
  if (source !== null) return lowerCase((await readKey(source, flags)).address);
  throw usageError('give an ADDRESS, --key-file or --from', 'ADDRESS');
}

/** As everything that nodes answer is written. */
const lowerCase = (address: Address): Address => address.toLowerCase() as Address;

/** @throws CliError `CLI_USAGE` */
export function parseAddress(text: string, argument: string): Address {
  if (isAddress(text, { strict: false })) return lowerCase(text);
  throw usageError(`${argument} must be an address, 0x and 40 hex digits, got ${text}`, argument);
}

interface KeySource {
  readonly kind: 'key' | 'file' | 'from';
  readonly value: string;
  /** Option or variable that named it. */
  readonly name: string;
}

/** What was typed counts more than the environment. @throws CliError `CLI_USAGE` */
function keySource({ keyFile, from }: SignerFlags): KeySource | null {
  if (keyFile !== undefined && from !== undefined) throw usageError('give one of --key-file and --from', '--from');
  const { PRIME_PRIVATE_KEY: key, PRIME_KEY_FILE: file, PRIME_FROM: account } = process.env;
  const sources: readonly (Omit<KeySource, 'value'> & { readonly value: string | undefined })[] = [
    { kind: 'file', value: keyFile, name: '--key-file' },
    { kind: 'from', value: from, name: '--from' },
    { kind: 'key', value: key, name: 'PRIME_PRIVATE_KEY' },
    { kind: 'file', value: file, name: 'PRIME_KEY_FILE' },
    { kind: 'from', value: account, name: 'PRIME_FROM' },
  ];
  const named = sources.find(({ value }) => value !== undefined && value !== '');
  return named === undefined ? null : (named as KeySource);
}

async function accountOf(connection: Connection, flags: SignerFlags): Promise<Account> {
  const source = keySource(flags);
  if (source === null)
    throw usageError(
      'no key to sign with: give --key-file <file>, or --from <address> where the node holds the key, or set PRIME_PRIVATE_KEY',
      '--key-file',
    );
  const owner = flags.owner === undefined ? null : parseAddress(flags.owner, '--owner');
  if (source.kind === 'from') {
    const address = parseAddress(source.value, source.name);
    await requireHeld(connection, address);
    const account = toAccount(address);
    return owner === null ? account : ({ ...account, owner } as Account);
  }
  const account = await readKey(source, flags);
  return owner === null ? account : toAgentAccount(account, { owner });
}

/** A node that does not hold a key is not asked to sign with it. */
async function requireHeld({ client, urls }: Connection, address: Address): Promise<void> {
  const held = await asCommand(
    urls[0],
    () => client.request({ method: 'eth_accounts' as never }) as Promise<readonly string[]>,
  );
  if (held.includes(address)) return;
  const those = held.length === 0 ? 'it holds none: give --key-file' : `it holds those of ${held.join(', ')}`;
  throw notFound(`${urls[0]} does not hold the key of ${address}; ${those}`, address);
}

async function readKey(
  { kind, value, name }: KeySource,
  flags: PasswordFlags,
): Promise<ReturnType<typeof privateKeyToAccount>> {
  const text = kind === 'key' ? value : await readPrivate(value, name);
  const hex = text.trim();
  if (/^(0x)?[0-9a-fA-F]{64}$/.test(hex)) return fromHex(hex, name);
  if (kind === 'key' || !hex.startsWith('{')) {
    const orFile = kind === 'key' ? '' : ', or a keystore';
    const message = `${name} must hold a private key, 32 bytes in hex${orFile}`;
    throw usageError(message, name);
  }
  const { key } = await openKeystore(value, 'owner', name, flags);
  return privateKeyToAccount(bytesToHex(key.privateKey) as Hex);
}

/** The messages never show the key. */
function fromHex(hex: string, argument: string): ReturnType<typeof privateKeyToAccount> {
  try {
    return privateKeyToAccount((hex.startsWith('0x') ? hex : `0x${hex}`) as Hex);
  } catch {
    throw usageError(`${argument} holds no private key: it is not within the order of secp256k1`, argument);
  }
}

/** What others on the machine may do with a file that holds a key. */
const othersMay = 0o077;

async function readPrivate(path: string, argument: string): Promise<string> {
  const text = await readGiven(path, argument);
  // Windows has other permissions, and says nothing of them here.
  const mode = process.platform === 'win32' ? 0 : statSync(path).mode & othersMay;
  if (mode === 0) return text;
  throw usageError(`${path} holds a private key, and others may read or write it: chmod 600 ${path}`, argument);
}
