/**
 * Accounts that the nodes of a local test network sign for: everybody knows their keys, so they lie in the open.
 *
 *   {"format": "prime-unlocked-1", "accounts": [{"address": "0x…", "privateKey": "0x…"}]}
 */
import { type CryptoProvider, isValidPrivateKey } from '@prime/crypto';
import { bytesToHex, hexToBytes } from '@prime/primitives';
import { type KeyPair, keyPair } from './keys.ts';
import { invalidKeyFile, parseObject } from './keystore.ts';

const format = 'prime-unlocked-1';

/** Content of the file, with a newline at the end. It holds private keys in the clear. */
export const formatUnlockedAccounts = (accounts: readonly KeyPair[]): string =>
  `${JSON.stringify(
    { format, accounts: accounts.map(({ address, privateKey }) => ({ address, privateKey: bytesToHex(privateKey) })) },
    null,
    2,
  )}\n`;

/**
 * @param path only for messages; the keys themselves are never shown
 * @throws ConfigError `CONFIG_KEY_FILE_INVALID`
 */
export function parseUnlockedAccounts(provider: CryptoProvider, text: string, path: string): KeyPair[] {
  const file = parseObject(text, path);
  if (file['format'] !== format) throw invalidKeyFile(path, `"format": "${format}"`);
  const { accounts } = file;
  if (!Array.isArray(accounts)) throw invalidKeyFile(path, '"accounts", a list');
  return accounts.map((entry: unknown) => readAccount(provider, entry, path));
}

function readAccount(provider: CryptoProvider, entry: unknown, path: string): KeyPair {
  if (typeof entry !== 'object' || entry === null)
    throw invalidKeyFile(path, 'objects with address and privateKey in "accounts"');
  const { address, privateKey } = entry as Record<string, unknown>;
  if (typeof privateKey !== 'string' || !/^0x[0-9a-fA-F]{64}$/.test(privateKey))
    throw invalidKeyFile(path, 'a privateKey of 0x and 64 hex digits');
  const bytes = hexToBytes(privateKey, 32);
  if (!isValidPrivateKey(bytes)) throw invalidKeyFile(path, 'a privateKey that is a scalar of secp256k1');
  const pair = keyPair(provider, bytes);
  if (typeof address !== 'string' || address.toLowerCase() !== pair.address)
    throw invalidKeyFile(path, `the address of its own key, which is ${pair.address}`);
  return pair;
}
