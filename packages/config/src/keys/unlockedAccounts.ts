/**
 * Accounts that the nodes of a local test network sign for: everybody knows their keys, so they lie in the open.
 *
 *   {"format": "prime-unlocked-1", "accounts": [{"address": "0x…", "privateKey": "0x…"}]}
 */
import type { CryptoProvider } from '@prime/crypto';
import { bytesToHex } from '@prime/primitives';
import type { KeyPair } from './keys.ts';
import { invalidKeyFile, parseObject, plainKey } from './keystore.ts';

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
  return accounts.map((entry: unknown) => {
    if (typeof entry !== 'object' || entry === null)
      throw invalidKeyFile(path, 'objects with address and privateKey in "accounts"');
    return plainKey(provider, entry as Record<string, unknown>, path);
  });
}
