/**
 * Key files: JSON with the private key in the open, protected by mode 0600 alone.
 *
 * That is what a node that restarts by itself can use without a second secret beside it. `format` names the layout, so
 * that an encrypted one can stand next to it; a file with an unknown format is refused, never guessed at.
 *
 *   {"format": "prime-key-1", "kind": "signer", "address": "0x…", "privateKey": "0x…"}
 *   {"format": "prime-unlocked-1", "accounts": [{"address": "0x…", "privateKey": "0x…"}]}
 */
import { type CryptoProvider, isValidPrivateKey, publicKeyToAddress } from '@prime/crypto';
import { type Address, bytesToHex, hexToBytes, parseAddress } from '@prime/primitives';
import { ConfigError } from './errors.ts';

/** `owner` holds the stake and may stay offline; `signer` signs proposals and votes. */
export type KeyKind = 'owner' | 'signer';

export interface KeyPair {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** Compressed, 33 bytes. */
  readonly publicKey: Uint8Array;
  readonly address: Address;
}

const keyFormat = 'prime-key-1';
const unlockedFormat = 'prime-unlocked-1';

/**
 * @param privateKey 32 bytes
 * @throws CryptoError when it is not a scalar of the curve
 */
export function keyPair(provider: CryptoProvider, privateKey: Uint8Array): KeyPair {
  const publicKey = provider.publicKey(privateKey);
  return { privateKey, publicKey, address: publicKeyToAddress(publicKey) };
}

/** A source of uniform random bytes: the system's for real keys, a seeded one for reproducible test networks. */
export type RandomBytes = (length: number) => Uint8Array;

/**
 * A fresh key from a source of random bytes.
 *
 * @param randomBytes uniform bytes; asked again in the one of 2^128 cases in which 32 bytes are no valid key
 */
export function generateKeyPair(provider: CryptoProvider, randomBytes: RandomBytes): KeyPair {
  let candidate = randomBytes(32);
  while (!isValidPrivateKey(candidate)) candidate = randomBytes(32);
  return keyPair(provider, candidate);
}

export const formatKeyFile = (kind: KeyKind, { address, privateKey }: KeyPair): string =>
  `${JSON.stringify({ format: keyFormat, kind, address, privateKey: bytesToHex(privateKey) }, null, 2)}\n`;

export const formatUnlockedAccounts = (accounts: readonly KeyPair[]): string =>
  `${JSON.stringify(
    {
      format: unlockedFormat,
      accounts: accounts.map(({ address, privateKey }) => ({ address, privateKey: bytesToHex(privateKey) })),
    },
    null,
    2,
  )}\n`;

/**
 * @param path only for messages; the key itself is never shown
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`
 */
export function parseKeyFile(provider: CryptoProvider, text: string, kind: KeyKind, path: string): KeyPair {
  const file = parseObject(text, path, keyFormat);
  if (file['kind'] !== kind) throw invalid(path, `a key of kind "${kind}"`);
  return readKey(provider, file, path);
}

/** @throws ConfigError `CONFIG_KEY_FILE_INVALID` */
export function parseUnlockedAccounts(provider: CryptoProvider, text: string, path: string): KeyPair[] {
  const { accounts } = parseObject(text, path, unlockedFormat);
  if (!Array.isArray(accounts)) throw invalid(path, '"accounts", a list');
  return accounts.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null)
      throw invalid(path, 'objects with address and privateKey in "accounts"');
    return readKey(provider, entry as Record<string, unknown>, path);
  });
}

function parseObject(text: string, path: string, format: string): Record<string, unknown> {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    // The parser's message would quote the text, which holds a key.
    throw invalid(path, 'JSON');
  }
  if (typeof file !== 'object' || file === null) throw invalid(path, 'a JSON object');
  const object = file as Record<string, unknown>;
  if (object['format'] !== format) throw invalid(path, `"format": "${format}"`);
  return object;
}

function readKey(provider: CryptoProvider, entry: Record<string, unknown>, path: string): KeyPair {
  const { address, privateKey } = entry;
  if (typeof privateKey !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw invalid(path, 'a privateKey of 0x and 64 hex digits');
  if (typeof address !== 'string' || !/^0x[0-9a-fA-F]{40}$/.test(address))
    throw invalid(path, 'an address of 0x and 40 hex digits');
  const bytes = hexToBytes(privateKey, 32);
  if (!isValidPrivateKey(bytes)) throw invalid(path, 'a privateKey that is a scalar of secp256k1');
  const pair = keyPair(provider, bytes);
  if (pair.address !== parseAddress(address))
    throw invalid(path, `the address of its own key, which is ${pair.address}`);
  return pair;
}

const invalid = (path: string, allowed: string): ConfigError =>
  new ConfigError(`key file ${path} can not be used: it needs ${allowed}`, {
    code: 'CONFIG_KEY_FILE_INVALID',
    path,
    allowed,
  });
