import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  formatKeystore,
  generateKeyPair,
  type HomePaths,
  parseRemoteSigner,
  type KeyKind,
  type KeyPair,
  type Keystore,
  parseKeystore,
  requireKind,
  scryptCosts,
  unlockKeystore,
} from '@prime/config';
import { cryptoProvider } from '@prime/crypto';
import { findPassword, readHomeFile } from '@prime/node';
import { type Address, utf8ToBytes } from '@prime/primitives';
import { writeFileDurably } from '@prime/storage';
import { notEmpty } from '../errors.ts';
import { readGiven } from '../files.ts';
import { type PasswordFlags, passwordSources, type Protection, randomBytesOf } from './passwordFlags.ts';

/**
 * A keystore, without decrypting it.
 *
 * @param argument what named the file, for messages
 * @throws CliError `CLI_NOT_FOUND`; ConfigError `CONFIG_KEY_FILE_…`
 */
export async function readKeystore(path: string, kind: KeyKind, argument: string): Promise<Keystore> {
  const keystore = parseKeystore(await readGiven(path, argument), path);
  requireKind(keystore, kind);
  return keystore;
}

/**
 * Whose key a keystore holds, without decrypting it where it says so.
 *
 * @throws as {@link openKeystore}
 */
async function addressOfKeystore(path: string, kind: KeyKind, argument: string): Promise<Address> {
  const { address } = await readKeystore(path, kind, argument);
  return address ?? (await openKeystore(path, kind, argument)).key.address;
}

/** Addresses of the hot keys of a home, the one in use first; of a remote signer, those that the node knows. */
export async function signersOf({ signerKey, nextSignerKey, remoteSigner }: HomePaths): Promise<Address[]> {
  if (!existsSync(signerKey) && existsSync(remoteSigner))
    return parseRemoteSigner(await readHomeFile(remoteSigner), remoteSigner).map(({ address }) => address);
  const files = [signerKey, nextSignerKey].filter((path) => path === signerKey || existsSync(path));
  return Promise.all(files.map((path) => addressOfKeystore(path, 'signer', '--home')));
}

/** A file that is there is never written over: it may hold the only copy of a key. @throws CliError `CLI_NOT_EMPTY` */
export function refuseTaken(path: string): void {
  if (existsSync(path)) throw notEmpty(`${path} is there already`, path);
}

/** A key that was decrypted, and under what it lies. */
export interface OpenedKey extends Protection {
  readonly key: KeyPair;
}

/**
 * Decrypts a keystore.
 *
 * @returns the key, and how another one is to be written beside it
 * @throws CliError `CLI_NOT_FOUND`; ConfigError and NodeError `CONFIG_KEY_…`
 */
export async function openKeystore(
  path: string,
  kind: KeyKind,
  argument: string,
  flags: PasswordFlags = {},
): Promise<OpenedKey> {
  const keystore = await readKeystore(path, kind, argument);
  const password = await findPassword(path, kind, passwordSources(flags));
  const key = await unlockKeystore(await cryptoProvider(), keystore, password);
  const { kdf } = keystore;
  const isLight = kdf.name === 'scrypt' && kdf.n <= scryptCosts.light.n;
  return { key, password, cost: isLight ? scryptCosts.light : scryptCosts.standard };
}

/** Writes a keystore that only this user reads; its folder is made where it is missing. */
export function writeKeystore(path: string, kind: KeyKind, key: KeyPair, { password, cost }: Protection): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const text = formatKeystore(kind, key, password, { cost, randomBytes: randomBytesOf });
  writeFileDurably(path, utf8ToBytes(text), 0o600);
}

/** A fresh key, in a keystore. */
export async function makeKeystore(path: string, kind: KeyKind, protection: Protection): Promise<KeyPair> {
  const key = generateKeyPair(await cryptoProvider(), randomBytesOf);
  writeKeystore(path, kind, key, protection);
  return key;
}
